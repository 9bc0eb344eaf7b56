package dev.fencepost.asset;

import dev.fencepost.platform.http.Refused;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the plain form of an inventory, {@code {"components": [{"purl": "pkg:…"}]}}. */
final class ComponentList {

  private final StrictJson json;
  private final ComponentCollector collector;
  private @Nullable String purl;
  private boolean listed;

  private ComponentList(StrictJson json, ComponentCollector collector) {
    this.json = json;
    this.collector = collector;
  }

  /**
   * Reads a document.
   *
   * @throws Refused if it is not of that form, or has more than {@code maxComponents}
   */
  static ReportedSoftware read(byte[] body, int maxComponents) {
    return StrictJson.read(
        body, json -> new ComponentList(json, new ComponentCollector(maxComponents)).document());
  }

  private ReportedSoftware document() throws IOException {
    json.object(
        name -> {
          requireField(name, "components");
          listed = !json.isAbsent();
          json.objects(this::component);
        });
    if (!listed) {
      throw Refused.field("components", "is required");
    }
    return collector.collected();
  }

  private void component() throws IOException {
    var path = json.path();
    purl = null;
    json.object(
        name -> {
          requireField(name, "purl");
          purl = json.text();
        });
    collector.add(purl == null || purl.isEmpty() ? path : purl, purl, null);
  }

  private void requireField(String name, String known) {
    if (!name.equals(known)) {
      throw Refused.field(json.path(), "is not a field of this request");
    }
  }
}
