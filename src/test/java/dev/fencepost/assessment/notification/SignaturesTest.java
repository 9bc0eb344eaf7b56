package dev.fencepost.assessment.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SignaturesTest {

  private static final Path FIXTURES = Path.of("src/test/resources/fixtures/notify");

  static Stream<JsonNode> vectors() throws IOException {
    return stream(new ObjectMapper().readTree(FIXTURES.resolve("signature-vectors.json").toFile()));
  }

  static Stream<JsonNode> webhookVectors() throws IOException {
    var fixture = new ObjectMapper().readTree(FIXTURES.resolve("generic-webhook.json").toFile());
    return stream(fixture.get("vectors"));
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return Stream.iterate(0, i -> i < array.size(), i -> i + 1).map(array::get);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void every_scheme_signs_as_its_vector_says(JsonNode vector) {
    var secret = vector.get("secret").asText();
    var timestamp = vector.get("timestamp").asText();
    switch (vector.get("scheme").asText()) {
      case "dingtalk" ->
          assertThat(URLEncoder.encode(Signatures.dingTalk(secret, timestamp), UTF_8))
              .isEqualTo(vector.get("sign_url_encoded").asText());
      case "feishu" ->
          assertThat(Signatures.feishu(secret, timestamp)).isEqualTo(vector.get("sign").asText());
      default ->
          assertThat(
                  webhook(
                      secret, vector.get("id").asText(), timestamp, vector.get("body").asText()))
              .isEqualTo(vector.get("signature").asText());
    }
  }

  @ParameterizedTest
  @MethodSource("webhookVectors")
  void webhooks_sign_as_their_vectors_say(JsonNode vector) {
    assertThat(
            webhook(
                vector.get("secret").asText(),
                vector.get("webhook-id").asText(),
                vector.get("webhook-timestamp").asText(),
                vector.get("body").asText()))
        .isEqualTo(vector.get("webhook-signature").asText());
  }

  private static String webhook(String secret, String id, String timestamp, String body) {
    var key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    return Signatures.standardWebhook(key, id, timestamp, body.getBytes(UTF_8));
  }
}
