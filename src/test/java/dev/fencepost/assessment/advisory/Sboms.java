package dev.fencepost.assessment.advisory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.asset.Component;
import dev.fencepost.asset.Purl;
import dev.fencepost.asset.SourcePackage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads just enough of CycloneDX for these tests; the real reader is tested where it is. */
final class Sboms {

  private static final String TRIVY = "aquasecurity:trivy:";

  private Sboms() {}

  static List<Component> components(Path sbom) throws IOException {
    var components = new ArrayList<Component>();
    collect(new ObjectMapper().readTree(sbom.toFile()), components);
    return components;
  }

  static List<Component> components(String... purls) {
    return List.of(purls).stream().map(purl -> new Component(Purl.parse(purl), null)).toList();
  }

  private static void collect(JsonNode holder, List<Component> into) {
    for (var component : holder.path("components")) {
      if (component.hasNonNull("purl")) {
        into.add(new Component(Purl.parse(component.get("purl").asText()), source(component)));
      }
      collect(component, into);
    }
  }

  private static @Nullable SourcePackage source(JsonNode component) {
    var properties = new HashMap<String, String>();
    for (var property : component.path("properties")) {
      properties.put(property.path("name").asText(), property.path("value").asText());
    }
    var name = properties.get(TRIVY + "SrcName");
    return name == null ? null : new SourcePackage(name, version(properties));
  }

  private static String version(Map<String, String> properties) {
    var epoch = properties.get(TRIVY + "SrcEpoch");
    var release = properties.get(TRIVY + "SrcRelease");
    return (epoch == null ? "" : epoch + ":")
        + properties.get(TRIVY + "SrcVersion")
        + (release == null ? "" : "-" + release);
  }
}
