package dev.fencepost.packaging;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The service, asked about itself: its own bill of materials, against the bundled advisories. */
@QuarkusTest
class OwnSbomIT {

  private static final Path SBOM = Path.of("target", "fencepost-sbom.json");
  private static final Path ADVISORIES = Path.of("examples", "advisories", "maven");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LOG4SHELL =
      """
      {"type": "library", "name": "log4j-core", "version": "2.14.1",
       "purl": "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1"}
      """;

  /** Licences, by SPDX id or as their projects name them, that fit with Apache-2.0. */
  private static final Set<String> GOOD =
      Set.of(
          "0BSD",
          "Apache-2.0",
          "BSD-2-Clause",
          "BSD-3-Clause",
          "Bouncy Castle Licence", // the words of MIT
          "CC0-1.0",
          "EPL-2.0",
          "MIT",
          "MIT-0",
          "Public Domain");

  @TestHTTPResource("/")
  URI here;

  @Test
  void every_component_is_counted_and_everything_known_about_it_is_said() throws IOException {
    var sbom = JSON.readTree(SBOM.toFile());

    var receipt = upload("fencepost-itself", sbom);
    var ticket = assess("fencepost-itself");

    assertThat(receipt.getInt("component_count")).isEqualTo(purls(sbom).size());
    assertThat(receipt.getList("skipped")).isEmpty();
    assertThat(ticket.getString("status")).isEqualTo("FINISHED");
    assertThat(purls(sbom).stream().map(OwnSbomIT::plain).toList())
        .containsAll(
            ticket.<String>getList("findings.purl").stream().map(OwnSbomIT::plain).toList())
        .containsAll(
            ticket.<String>getList("unevaluated.purl").stream().map(OwnSbomIT::plain).toList());
    assertThat(ticket.<String>getList("findings.vulnerability_id"))
        .containsAll(listedByVersion(sbom));
    assertThat(ticket.<String>getList("unevaluated.reason")).allMatch(reason -> !reason.isBlank());
  }

  /** What is found nothing about must be so because there is nothing, not because nobody looked. */
  @Test
  void with_one_vulnerable_component_more_the_same_bill_is_high() throws IOException {
    var sbom = (ObjectNode) JSON.readTree(SBOM.toFile());
    var clean = upload("fencepost-as-it-is", sbom).getInt("component_count");
    ((ArrayNode) sbom.get("components")).add(JSON.readTree(LOG4SHELL));

    var receipt = upload("fencepost-with-log4shell", sbom);
    var ticket = assess("fencepost-with-log4shell");

    assertThat(receipt.getInt("component_count")).isEqualTo(clean + 1);
    assertThat(ticket.getString("verdict.level")).isEqualTo("HIGH");
    assertThat(ticket.<String>getList("findings.vulnerability_id")).contains("GHSA-jfh8-c2jp-5v3q");
  }

  @Test
  void the_bill_names_what_is_shipped_and_not_what_only_tests_need() throws IOException {
    var names = components(JSON.readTree(SBOM.toFile())).map(c -> c.get("name").asText()).toList();

    assertThat(names)
        .contains("quarkus-rest-jackson", "postgresql", "netty-codec-http", "cvss-calculator")
        .doesNotContain("archunit", "assertj-core", "rest-assured", "kubernetes-client-api");
  }

  @Test
  void every_component_has_a_licence_that_ours_goes_with() throws IOException {
    var strangers = new ArrayList<String>();
    components(JSON.readTree(SBOM.toFile()))
        .filter(component -> licences(component).noneMatch(GOOD::contains))
        .forEach(
            component ->
                strangers.add(component.get("purl").asText() + " " + licences(component).toList()));

    assertThat(strangers).isEmpty();
  }

  private JsonPath upload(String asset, JsonNode sbom) {
    given()
        .contentType("application/json")
        .body("{\"address\": \"tcp://127.0.0.1:" + here.getPort() + "\"}")
        .put("/v1/assets/" + asset)
        .then()
        .statusCode(201);
    return given()
        .contentType("application/vnd.cyclonedx+json")
        .body(sbom.toString())
        .put("/v1/assets/" + asset + "/inventory")
        .then()
        .statusCode(200)
        .extract()
        .jsonPath();
  }

  private static JsonPath assess(String asset) {
    return given()
        .header("Prefer", "wait=60")
        .post("/v1/assets/" + asset + "/assessments")
        .then()
        .statusCode(200)
        .extract()
        .jsonPath();
  }

  private static Stream<JsonNode> components(JsonNode sbom) {
    return StreamSupport.stream(sbom.get("components").spliterator(), false);
  }

  /** Of its components, and of what they are the components of: that is software, too. */
  private static List<String> purls(JsonNode sbom) {
    return Stream.concat(components(sbom), Stream.of(sbom.at("/metadata/component")))
        .map(component -> component.get("purl").asText())
        .distinct()
        .toList();
  }

  private static String plain(String purl) {
    return purl.replaceFirst("[?#].*", "");
  }

  private static Stream<String> licences(JsonNode component) {
    return StreamSupport.stream(component.path("licenses").spliterator(), false)
        .map(choice -> choice.has("license") ? choice.get("license") : choice)
        .map(
            licence ->
                licence.has("id")
                    ? licence.get("id").asText()
                    : licence.path("name").asText(licence.path("expression").asText()));
  }

  /** Advisories that list a component's very version: the plainest reading there is. */
  private static Set<String> listedByVersion(JsonNode sbom) throws IOException {
    var shipped =
        components(sbom)
            .map(
                component ->
                    "%s:%s@%s"
                        .formatted(
                            component.path("group").asText(),
                            component.get("name").asText(),
                            component.path("version").asText()))
            .collect(Collectors.toSet());
    try (var files = Files.list(ADVISORIES)) {
      return files
          .map(OwnSbomIT::parse)
          .filter(advisory -> !advisory.has("withdrawn"))
          .filter(advisory -> affected(advisory).anyMatch(shipped::contains))
          .map(advisory -> advisory.get("id").asText())
          .collect(Collectors.toSet());
    }
  }

  private static Stream<String> affected(JsonNode advisory) {
    return StreamSupport.stream(advisory.path("affected").spliterator(), false)
        .flatMap(
            affected ->
                StreamSupport.stream(affected.path("versions").spliterator(), false)
                    .map(
                        version -> affected.at("/package/name").asText() + "@" + version.asText()));
  }

  private static JsonNode parse(Path file) {
    try {
      return JSON.readTree(file.toFile());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
