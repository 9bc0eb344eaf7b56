package dev.fencepost.assessment.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fencepost.platform.outgoing.TestDoors;
import dev.fencepost.platform.time.Entropy;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests as they arrive, against the recorded ones. */
class WireFormatTest {

  private static final Path FIXTURES = Path.of("src/test/resources/fixtures/notify");
  private static final Vertx VERTX = Vertx.vertx();
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String TEXT = AlarmText.of(Alarms.high(), false).text();

  private Stub stub;

  @BeforeEach
  void start() throws IOException {
    stub = new Stub();
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  @AfterAll
  static void close() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  @ParameterizedTest
  @EnumSource(ChannelType.class)
  void every_request_carries_the_identity_of_its_effect(ChannelType type) {
    send(type, null, Alarms.high(), false);

    Alarms.EFFECT
        .headers()
        .forEach((name, value) -> assertThat(stub.last().header(name)).isEqualTo(value));
  }

  @Test
  void wecom_gets_its_text() throws IOException {
    var fixture = fixture("wecom-group-robot.json");
    var expected = (ObjectNode) fixture.at("/bodies/text");
    ((ObjectNode) expected.get("text")).removeAll().put("content", TEXT);

    send(ChannelType.WECOM, null, Alarms.high(), false);

    assertThat(stub.last().json()).isEqualTo(expected);
    assertContentType(fixture);
  }

  @Test
  void dingtalk_gets_its_text_signed_in_the_query() throws IOException {
    var fixture = fixture("dingtalk-robot.json");
    var expected = (ObjectNode) fixture.at("/bodies/text");
    expected.putObject("text").put("content", TEXT);
    expected.set("at", fixture.at("/bodies/markdown/at"));

    send(ChannelType.DINGTALK, "SEC0123456789abcdef", Alarms.high(), false);

    var millis = Long.toString(Alarms.NOW.toEpochMilli());
    var sign = URLEncoder.encode(Signatures.dingTalk("SEC0123456789abcdef", millis), UTF_8);
    assertThat(stub.last().json()).isEqualTo(expected);
    assertThat(stub.last().path())
        .isEqualTo("/hook?key=token&timestamp=" + millis + "&sign=" + sign);
    assertContentType(fixture);
  }

  @Test
  void feishu_gets_its_post_signed_in_the_body() throws IOException {
    var fixture = fixture("feishu-bot.json");
    var expected = (ObjectNode) fixture.at("/bodies/post");
    var seconds = Long.toString(Alarms.NOW.getEpochSecond());
    expected.put("timestamp", seconds).put("sign", Signatures.feishu("demo", seconds));
    var text = AlarmText.of(Alarms.high(), false);
    var post = (ObjectNode) expected.at("/content/post/zh_cn");
    var line = (ObjectNode) post.at("/content/0/0");
    post.put("title", text.title());
    ArrayNode content = post.putArray("content");
    text.lines().forEach(each -> content.addArray().add(line.deepCopy().put("text", each)));

    send(ChannelType.FEISHU, "demo", Alarms.high(), false);

    assertThat(stub.last().json()).isEqualTo(expected);
    assertThat(stub.last().path()).isEqualTo("/hook?key=token");
    assertContentType(fixture);
  }

  @Test
  void an_unsigned_feishu_post_has_no_signature() {
    send(ChannelType.FEISHU, null, Alarms.high(), false);

    assertThat(stub.last().json().fieldNames()).toIterable().containsExactly("msg_type", "content");
  }

  @Test
  void slack_gets_its_text_with_nothing_in_it_that_slack_would_read() throws IOException {
    var fixture = fixture("slack-incoming-webhook.json");
    var alarm = Alarms.of(Alarm.Level.HIGH, "<!channel> & co", List.of());
    var expected = (ObjectNode) fixture.at("/bodies/text");
    expected.put(
        "text",
        AlarmText.of(alarm, false).text().replace("<!channel> & co", "&lt;!channel&gt; &amp; co"));

    send(ChannelType.SLACK, null, alarm, false);

    assertThat(stub.last().json()).isEqualTo(expected);
    assertContentType(fixture);
  }

  @Test
  void a_webhook_gets_a_cloud_event_with_a_signature_that_verifies() throws IOException {
    send(
        ChannelType.WEBHOOK,
        "whsec_" + base64("new key") + " whsec_" + base64("old key"),
        Alarms.high(),
        true);

    var seen = stub.last();
    var seconds = Long.toString(Alarms.NOW.getEpochSecond());
    assertThat(seen.header("content-type"))
        .isEqualTo("application/cloudevents+json; charset=UTF-8");
    assertThat(seen.header("webhook-id")).isEqualTo("5-01jdtest:ops");
    assertThat(seen.header("webhook-timestamp")).isEqualTo(seconds);
    assertThat(seen.header("webhook-signature"))
        .isEqualTo(
            Signatures.standardWebhook(
                    "new key".getBytes(UTF_8), "5-01jdtest:ops", seconds, seen.body())
                + " "
                + Signatures.standardWebhook(
                    "old key".getBytes(UTF_8), "5-01jdtest:ops", seconds, seen.body()));
    assertThat(seen.json()).isEqualTo(expectedEvent());
  }

  private static JsonNode expectedEvent() throws IOException {
    var event =
        (ObjectNode)
            new ObjectMapper()
                .readTree(
                    """
                    {"specversion":"1.0","id":"5-01jdtest:ops","source":"/fencepost/assessments",
                     "type":"dev.fencepost.asset.risk.high.v1","subject":"asset/cam-01",
                     "time":"2026-11-30T11:59:57Z","datacontenttype":"application/json",
                     "data":{"ticket_id":"5-01jdtest","asset_id":"cam-01","display_name":"Front door",
                       "level":"HIGH","may_repeat":true,"text":"",
                       "reasons":["a finding is known exploited"],"finding_count":1,
                       "findings":[{"vulnerability_id":"GHSA-jfh8-c2jp-5v3q","aliases":["CVE-2021-44228"],
                         "purl":"pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1",
                         "severity":"CRITICAL","cvss_score":10.0,
                         "cvss_vector":"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H",
                         "fixed_versions":["2.15.0"],"known_exploited":"yes","epss":0.97}]}}
                    """);
    ((ObjectNode) event.get("data")).put("text", AlarmText.of(Alarms.high(), true).text());
    return event;
  }

  @Test
  void a_webhook_without_a_secret_is_not_signed() {
    send(ChannelType.WEBHOOK, null, Alarms.high(), false);

    assertThat(stub.last().headers().keySet())
        .noneMatch(name -> name.equalsIgnoreCase("webhook-signature"))
        .anyMatch(name -> name.equalsIgnoreCase("webhook-id"));
  }

  @Test
  void no_message_is_longer_than_its_receiver_takes() {
    var name = "高\"\"\"\"\"".repeat(1000);
    var findings = IntStream.range(0, 500).mapToObj(i -> Alarms.scored(name + i, 9.0)).toList();
    var alarm = Alarms.of(Alarm.Level.HIGH, name, findings);

    send(ChannelType.WECOM, null, alarm, true);
    assertThat(stub.last().json().at("/text/content").asText().getBytes(UTF_8).length)
        .isBetween(2000, 2048);
    send(ChannelType.DINGTALK, null, alarm, true);
    assertThat(stub.last().body().length).isBetween(5000, 20_000);
    send(ChannelType.FEISHU, "demo", alarm, true);
    assertThat(stub.last().body().length).isBetween(5000, 20_480);
    send(ChannelType.SLACK, null, alarm, true);
    assertThat(stub.last().json().get("text").asText().getBytes(UTF_8).length)
        .isBetween(3900, 4000);
  }

  private void send(ChannelType type, @Nullable String secret, Alarm alarm, boolean mayRepeat) {
    var config = ChannelsTest.one(type.name(), stub.url("/hook?key=token"), secret, "always");
    new Channels(() -> Map.of("ops", config), TestDoors.http(VERTX), atNow())
        .named("ops")
        .orElseThrow()
        .send(alarm, Alarms.EFFECT, mayRepeat, LONG)
        .await()
        .atMost(LONG);
  }

  private void assertContentType(JsonNode fixture) {
    assertThat(stub.last().header("Content-Type"))
        .isEqualTo(fixture.at("/request/headers/Content-Type").asText());
  }

  private static JsonNode fixture(String file) throws IOException {
    return new ObjectMapper().readTree(FIXTURES.resolve(file).toFile());
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static Entropy atNow() {
    return new Entropy() {
      @Override
      public Instant now() {
        return Alarms.NOW;
      }
    };
  }
}
