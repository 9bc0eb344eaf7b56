package dev.fencepost.asset;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.config.EncoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.response.ValidatableResponse;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class AssetResourceTest {

  /** Counts what it is told. */
  @ApplicationScoped
  static class Heard implements AssetListener {

    private final Queue<String> assets = new ConcurrentLinkedQueue<>();

    @Override
    public Uni<Void> assetChanged(String assetId) {
      return Uni.createFrom().voidItem().invoke(() -> assets.add(assetId));
    }

    long times(String assetId) {
      return assets.stream().filter(assetId::equals).count();
    }
  }

  @Inject Heard heard;

  private static final String CYCLONE_DX = "application/vnd.cyclonedx+json";
  private static final String MINIMAL = "{\"address\": \"tcp://10.0.0.7:554\"}";

  @Test
  void an_asset_comes_back_as_it_was_put() {
    var body =
        """
        {"display_name": "摄像头", "address": "https://[2001:db8::1]:8443/health", "exposure": "public",
         "criticality": "high", "labels": {"site": "berlin", "机房": "3"}}
        """;
    put("round-trip", body)
        .statusCode(201)
        .header("Location", "/v1/assets/round-trip")
        .body("asset_id", equalTo("round-trip"));
    given()
        .get("/v1/assets/round-trip")
        .then()
        .statusCode(200)
        .contentType("application/json")
        .body("display_name", equalTo("摄像头"))
        .body("address", equalTo("https://[2001:db8::1]:8443/health"))
        .body("exposure", equalTo("public"))
        .body("criticality", equalTo("high"))
        .body("labels.site", equalTo("berlin"))
        .body("labels.'机房'", equalTo("3"))
        .body("created_at", matchesPattern("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"))
        .body("updated_at", notNullValue());
  }

  @Test
  void what_was_not_said_is_unknown_or_null() {
    put("bare", "{\"address\": \"heartbeat:\"}")
        .statusCode(201)
        .body("display_name", nullValue())
        .body("address", equalTo("heartbeat:"))
        .body("exposure", equalTo("unknown"))
        .body("criticality", nullValue())
        .body("labels", equalTo(Map.of()));
  }

  @Test
  void a_second_put_replaces_all_but_the_time_it_was_created() {
    var created =
        put("twice", "{\"address\": \"heartbeat:\", \"display_name\": \"a\"}")
            .statusCode(201)
            .extract()
            .path("created_at");
    put("twice", MINIMAL)
        .statusCode(200)
        .header("Location", nullValue())
        .body("address", equalTo("tcp://10.0.0.7:554"))
        .body("display_name", nullValue())
        .body("created_at", equalTo(created));
  }

  @Test
  void a_deleted_asset_is_gone_with_its_inventory() {
    put("doomed", MINIMAL).statusCode(201);
    putList("doomed", "{\"components\": [{\"purl\": \"pkg:npm/a@1\"}]}").statusCode(200);
    given().delete("/v1/assets/doomed").then().statusCode(204);
    problem(given().delete("/v1/assets/doomed").then(), 404, "asset-not-found");
    problem(given().get("/v1/assets/doomed").then(), 404, "asset-not-found");
    problem(given().get("/v1/assets/doomed/inventory").then(), 404, "asset-not-found");
    put("doomed", MINIMAL).statusCode(201);
    problem(given().get("/v1/assets/doomed/inventory").then(), 404, "inventory-not-found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-a", ".a", "a b", "a%2Fb", "ü", "a*"})
  void an_id_that_is_none_is_refused(String id) {
    var path = "/v1/assets/" + id;
    problem(given().body(MINIMAL).contentType("application/json").put(path).then(), 400, null);
    problem(given().get(path).then(), 400, "validation-failed");
    problem(given().delete(path).then(), 400, "validation-failed");
  }

  @Test
  void an_id_may_have_128_characters_and_not_one_more() {
    put("a:b@c._-" + "x".repeat(120), MINIMAL).statusCode(201);
    problem(put("x".repeat(129), MINIMAL), 400, "validation-failed")
        .body("errors.field", contains("asset_id"));
  }

  @Test
  void all_wrong_fields_are_named_in_one_answer_and_nothing_is_stored() {
    problem(
            put(
                "wrong",
                """
                {"address": "gopher://x", "exposure": "PUBLIC", "criticality": "", "labels": {"": "x"}}
                """),
            400,
            "validation-failed")
        .body("errors.field", contains("address", "exposure", "criticality", "labels"));
    problem(given().get("/v1/assets/wrong").then(), 404, "asset-not-found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | address",
        "{'address': 'heartbeat:', 'colour': 'red'} | colour",
        "{'address': 5} | address",
        "{'address': 'heartbeat:', 'labels': []} | labels",
        "{'address': 'heartbeat:', 'labels': {'a': {}}} | labels",
      })
  void a_wrong_body_is_refused_by_field(String body, String field) {
    problem(put("wrong", body.replace('\'', '"')), 400, "validation-failed")
        .body("errors[0].field", containsString(field));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "{\"address\":", "[]", "\"x\""})
  void a_body_that_describes_no_asset_is_refused(String body) {
    problem(put("wrong", body), 400, null);
  }

  @Test
  void another_content_type_is_refused() {
    problem(
        given().contentType("text/plain").body(MINIMAL).put("/v1/assets/a").then(),
        415,
        "unsupported-media-type");
  }

  @Test
  void a_list_is_walked_page_by_page_and_holds_each_asset_once() {
    var ids = IntStream.range(0, 7).mapToObj(i -> "page-" + i).toList();
    ids.forEach(id -> put(id, labelled("walk", "pages")));
    var seen = new ArrayList<String>();
    String token = null;
    do {
      var page = list("walk:pages", "3", token).statusCode(200).extract();
      seen.addAll(page.path("items.asset_id"));
      token = page.path("next_page_token");
    } while (token != null);
    assertThat(seen).isEqualTo(ids);
  }

  @Test
  void a_full_last_page_has_no_next_one() {
    List.of("full-1", "full-2").forEach(id -> put(id, labelled("walk", "full")));
    list("walk:full", "2", null)
        .body("items", hasSize(2))
        .body("$", hasKey("next_page_token"))
        .body("next_page_token", nullValue());
  }

  @Test
  void labels_that_are_asked_for_must_all_hold() {
    put(
        "l-1",
        "{\"address\": \"heartbeat:\", \"labels\": {\"f\": \"1\", \"url\": \"http://a:1\"}}");
    put("l-2", "{\"address\": \"heartbeat:\", \"labels\": {\"f\": \"1\"}}");
    given()
        .get("/v1/assets?label=f:1&label=url:http://a:1")
        .then()
        .body("items.asset_id", contains("l-1"));
    given().get("/v1/assets?label=f:1").then().body("items.asset_id", contains("l-1", "l-2"));
    given().get("/v1/assets?label=f:1&label=f:2").then().body("items", empty());
    given().get("/v1/assets").then().body("items.asset_id", hasItems("l-1", "l-2"));
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0, limit",
    "limit=501, limit",
    "limit=ten, limit",
    "page_token=!, page_token",
    "page_token=Lw, page_token",
    "label=site, label",
    "label=:x, label",
    "label=a:%00, label",
  })
  void a_wrong_list_parameter_is_named(String query, String field) {
    problem(given().urlEncodingEnabled(false).get("/v1/assets?" + query).then(), 400, null)
        .body("errors.field", contains(field));
  }

  @Test
  void an_empty_list_parameter_is_as_good_as_none() {
    given().get("/v1/assets?limit=&page_token=").then().statusCode(200);
  }

  @Test
  void of_many_first_puts_one_creates_the_asset() {
    var created =
        IntStream.range(0, 8)
            .parallel()
            .map(i -> put("raced", MINIMAL).extract().statusCode())
            .filter(status -> status == 201)
            .count();
    assertThat(created).isEqualTo(1);
  }

  @Test
  void listeners_hear_of_what_changed_and_of_nothing_else() {
    put("heard", MINIMAL);
    assertThat(heard.times("heard")).isEqualTo(1);
    put("heard", "{}");
    given().get("/v1/assets/heard");
    putList("heard", "{}");
    putList("unheard", "{\"components\": []}");
    given().delete("/v1/assets/unheard");
    assertThat(heard.times("heard")).isEqualTo(1);
    assertThat(heard.times("unheard")).isZero();
    putList("heard", "{\"components\": []}");
    assertThat(heard.times("heard")).isEqualTo(2);
    given().delete("/v1/assets/heard");
    assertThat(heard.times("heard")).isEqualTo(3);
  }

  @Test
  void an_sbom_becomes_the_inventory() throws IOException {
    put("sbom", MINIMAL);
    putSbom("sbom", Files.readString(Path.of("examples/sboms/dtrack-valid-bom_cdx1.6.json")))
        .statusCode(200)
        .body("component_count", equalTo(1))
        .body("skipped", hasSize(2))
        .body("skipped.reason", hasItems("it has no purl"));
    given()
        .get("/v1/assets/sbom/inventory")
        .then()
        .statusCode(200)
        .body("components", hasSize(1))
        .body("components[0].purl", containsString("pkg:"))
        .body("updated_at", notNullValue());
  }

  @Test
  void the_content_type_may_name_the_version() {
    put("versioned", MINIMAL);
    given()
        .config(plainContentType())
        .contentType(CYCLONE_DX + "; version=1.6")
        .body(bom("{\"purl\": \"pkg:npm/a@1\"}").getBytes(UTF_8))
        .put("/v1/assets/versioned/inventory")
        .then()
        .statusCode(200)
        .body("component_count", equalTo(1));
  }

  @Test
  void a_byte_order_mark_is_accepted() {
    put("marked", MINIMAL);
    putSbom("marked", "\uFEFF" + bom("{\"purl\": \"pkg:npm/a@1\"}"))
        .statusCode(200)
        .body("component_count", equalTo(1));
  }

  @Test
  void a_component_that_is_listed_twice_is_stored_once() {
    put("doubled", MINIMAL);
    putList(
            "doubled",
            """
            {"components": [{"purl": "pkg:npm/%40a/b"}, {"purl": "pkg:npm/@a/b"}, {"purl": "x"}]}
            """)
        .statusCode(200)
        .body("component_count", equalTo(1))
        .body("skipped.ref", contains("x"))
        .body("skipped.reason", contains("not a package URL: it does not start with 'pkg:'"));
    given()
        .get("/v1/assets/doubled/inventory")
        .then()
        .body("components.purl", contains("pkg:npm/%40a/b"));
  }

  @Test
  void ten_thousand_components_are_stored_and_read() {
    put("large", MINIMAL);
    var items =
        IntStream.range(0, 10_000)
            .mapToObj("{\"name\": \"p%1$d\", \"purl\": \"pkg:npm/package-%1$d@1.0.0\"}"::formatted)
            .toList();
    putSbom("large", bom(String.join(",", items)))
        .statusCode(200)
        .body("component_count", equalTo(10_000));
    given().get("/v1/assets/large/inventory").then().body("components", hasSize(10_000));
  }

  @Test
  void a_report_that_is_refused_leaves_the_old_inventory() {
    put("kept", MINIMAL);
    putSbom("kept", bom("{\"purl\": \"pkg:npm/kept@1\"}")).statusCode(200);

    problem(putSbom("kept", bom("{\"purl\": \"pkg:npm/new@1\"}, 5")), 400, "validation-failed")
        .body("errors.field", contains("components[1]"));
    problem(putSbom("kept", "{\"bomFormat\": \"CycloneDX\","), 400, "bad-request")
        .body("detail", containsString("ends too early"));
    problem(putSbom("kept", "{\"spdxVersion\": \"SPDX-2.3\"}"), 400, "validation-failed")
        .body("errors.field", contains("bomFormat"));
    problem(putSbom("kept", ""), 400, null);
    problem(putList("kept", "{\"components\": [{\"purl\": 1}]}"), 400, "validation-failed");
    problem(putList("kept", ""), 400, null);

    given()
        .get("/v1/assets/kept/inventory")
        .then()
        .body("components.purl", contains("pkg:npm/kept@1"));
  }

  @Test
  void an_empty_report_empties_the_inventory() {
    put("emptied", MINIMAL);
    putList("emptied", "{\"components\": [{\"purl\": \"pkg:npm/a@1\"}]}");
    putList("emptied", "{\"components\": []}").statusCode(200).body("component_count", equalTo(0));
    given().get("/v1/assets/emptied/inventory").then().body("components", empty());
  }

  @Test
  void an_inventory_of_nothing_is_refused() {
    problem(putList("nowhere", "{\"components\": []}"), 404, "asset-not-found");
    problem(given().get("/v1/assets/nowhere/inventory").then(), 404, "asset-not-found");
  }

  @Test
  void replacing_an_asset_keeps_its_inventory() {
    put("both", MINIMAL);
    putList("both", "{\"components\": [{\"purl\": \"pkg:npm/a@1\"}]}");
    put("both", MINIMAL).statusCode(200);
    given().get("/v1/assets/both/inventory").then().body("components", hasSize(1));
  }

  private static ValidatableResponse put(String id, String body) {
    return given().contentType("application/json").body(body).put("/v1/assets/" + id).then();
  }

  private static ValidatableResponse putList(String id, String body) {
    return given()
        .contentType("application/json")
        .body(body)
        .put("/v1/assets/" + id + "/inventory")
        .then();
  }

  private static ValidatableResponse putSbom(String id, String body) {
    return given()
        .config(plainContentType())
        .contentType(CYCLONE_DX)
        .body(body.getBytes(UTF_8))
        .put("/v1/assets/" + id + "/inventory")
        .then();
  }

  private static ValidatableResponse list(String label, String limit, @Nullable String token) {
    var request = given().queryParam("label", label).queryParam("limit", limit);
    return (token == null ? request : request.queryParam("page_token", token))
        .get("/v1/assets")
        .then();
  }

  private static String labelled(String key, String value) {
    return "{\"address\": \"heartbeat:\", \"labels\": {\"%s\": \"%s\"}}".formatted(key, value);
  }

  private static String bom(String components) {
    return "{\"bomFormat\": \"CycloneDX\", \"specVersion\": \"1.6\", \"components\": ["
        + components
        + "]}";
  }

  /** Sends the content type as it is, where rest-assured would add a charset of its own. */
  private static RestAssuredConfig plainContentType() {
    return RestAssured.config()
        .encoderConfig(
            EncoderConfig.encoderConfig()
                .appendDefaultContentCharsetToContentTypeIfUndefined(false));
  }

  private static ValidatableResponse problem(
      ValidatableResponse answer, int status, @Nullable String slug) {
    answer
        .statusCode(status)
        .contentType("application/problem+json")
        .body("status", equalTo(status))
        .body("trace_id", notNullValue());
    return slug == null ? answer : answer.body("type", equalTo("urn:fencepost:problem:" + slug));
  }
}
