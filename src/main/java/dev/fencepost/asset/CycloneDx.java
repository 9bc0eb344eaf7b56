package dev.fencepost.asset;

import dev.fencepost.platform.http.Refused;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the components out of a CycloneDX document in JSON: the root component ({@code
 * metadata.component}), the listed ones, and the ones nested in either. Everything else, {@code
 * dependencies} above all, is passed over. The document is not checked against the schema: real
 * documents break it in fields that do not matter here.
 *
 * <p>A component without a usable purl is reported as skipped, the root component too. The same
 * purl twice counts once.
 */
final class CycloneDx {

  private static final String FORMAT = "CycloneDX";
  private static final Set<String> SPEC_VERSIONS = Set.of("1.2", "1.3", "1.4", "1.5", "1.6", "1.7");
  private static final int SHOWN_LENGTH = 40;

  private final StrictJson json;
  private final ComponentCollector collector;
  private @Nullable String format;
  private @Nullable String specVersion;

  private CycloneDx(StrictJson json, ComponentCollector collector) {
    this.json = json;
    this.collector = collector;
  }

  /**
   * Reads a document.
   *
   * @throws Refused if it is not CycloneDX 1.2–1.7 in JSON, or has more than {@code maxComponents}
   */
  static ReportedSoftware read(byte[] body, int maxComponents) {
    return StrictJson.read(
        body, json -> new CycloneDx(json, new ComponentCollector(maxComponents)).document());
  }

  private ReportedSoftware document() throws IOException {
    json.object(this::documentField);
    requireOneOf("bomFormat", format, Set.of(FORMAT));
    requireOneOf("specVersion", specVersion, SPEC_VERSIONS);
    return collector.collected();
  }

  private void documentField(String name) throws IOException {
    switch (name) {
      case "bomFormat" -> format = json.text();
      case "specVersion" -> specVersion = json.text();
      case "metadata" -> json.object(this::metadataField);
      case "components" -> json.objects(this::component);
      default -> json.skip();
    }
  }

  private void metadataField(String name) throws IOException {
    if (name.equals("component")) {
      component();
    } else {
      json.skip();
    }
  }

  private void component() throws IOException {
    if (json.isAbsent()) {
      return;
    }
    var draft = new Draft(json.path());
    json.object(name -> componentField(draft, name));
    collector.add(draft.ref(), draft.purl, draft.source());
  }

  private void componentField(Draft draft, String name) throws IOException {
    switch (name) {
      case "bom-ref" -> draft.bomRef = json.text();
      case "name" -> draft.name = json.text();
      case "purl" -> draft.purl = json.text();
      case "properties" -> json.objects(() -> property(draft));
      case "components" -> json.objects(this::component);
      default -> json.skip();
    }
  }

  private void property(Draft draft) throws IOException {
    var property = new Property();
    json.object(
        field -> {
          switch (field) {
            case "name" -> property.name = json.text();
            case "value" -> property.value = json.text();
            default -> json.skip();
          }
        });
    if (property.name != null && property.value != null && !property.value.isEmpty()) {
      draft.source.set(property.name, property.value);
    }
  }

  private static void requireOneOf(String field, @Nullable String value, Set<String> allowed) {
    if (value == null || !allowed.contains(value)) {
      throw Refused.field(
          field,
          "must be %s, but is %s"
              .formatted(
                  allowed.size() == 1
                      ? "\"" + allowed.iterator().next() + "\""
                      : "one of " + allowed.stream().sorted().toList(),
                  value == null ? "missing" : "\"" + shortened(value) + "\""));
    }
  }

  private static String shortened(String value) {
    return value.length() <= SHOWN_LENGTH ? value : value.substring(0, SHOWN_LENGTH) + "…";
  }

  /** One property of a component, as far as it is read. */
  private static final class Property {
    private @Nullable String name;
    private @Nullable String value;
  }

  /** One component, as far as it is read. */
  private static final class Draft {
    private final String path;
    private final TrivySource source = new TrivySource();
    private @Nullable String bomRef;
    private @Nullable String name;
    private @Nullable String purl;

    Draft(String path) {
      this.path = path;
    }

    String ref() {
      if (bomRef != null && !bomRef.isEmpty()) {
        return bomRef;
      }
      return name == null || name.isEmpty() ? path : name;
    }

    @Nullable SourcePackage source() {
      return source.asSource();
    }
  }
}
