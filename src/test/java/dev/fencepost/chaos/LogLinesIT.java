package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a collector of JSON logs gets to see of a running process. */
class LogLinesIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> SETTINGS =
      Map.of(
          "quarkus.log.console.json.enabled", "true",
          "fencepost.assessment.max-attempts", "1",
          "fencepost.command.expires-after", "1s");

  @Test
  void a_failed_ticket_and_an_expired_command_carry_their_facts_under_mdc() {
    var run = UUID.randomUUID().toString();
    try (var arena = Arena.with(SETTINGS, "log-lines", "a")) {
      var a = arena.replicas().get(0);

      var asset = "nowhere-" + run;
      Device.put(a, "/v1/assets/" + asset, "{\"address\":\"tcp://no-such-host.invalid:1\"}");
      Device.post(a, "/v1/assets/" + asset + "/assessments", "{}");
      var failed = line(a, asset + ": FAILED");
      var ticketId = failed.at("/mdc/ticket_id").asText();
      var ticket = read(Device.get(a, "/v1/tickets/" + ticketId));
      assertThat(failed.at("/level").asText()).isEqualTo("WARN");
      assertThat(ticket.at("/asset_id").asText()).as(ticket.toString()).isEqualTo(asset);
      assertThat(facts(failed))
          .isEqualTo(
              Map.of(
                  "trace_id", failed.at("/mdc/trace_id").asText(),
                  "ticket_id", ticketId,
                  "device_id", asset,
                  "lane", laneIn(ticketId),
                  "fencing_token", ticket.at("/fencing_token").asText()));
      assertThat(failed.at("/mdc/trace_id").asText()).matches("[0-9a-f]{32}");

      var camera = "silent-" + run;
      Device.post(a, "/v1/devices/" + camera + "/live", "{\"session_id\":\"s\"}");
      var stop = read(Device.post(a, "/v1/devices/" + camera + "/live/stop", "").body());
      var commandId = stop.at("/command_id").asText();
      var expired = line(a, commandId + " of " + camera + ": EXPIRED");
      assertThat(expired.at("/level").asText()).isEqualTo("WARN");
      assertThat(facts(expired)).isEqualTo(Map.of("device_id", camera, "lane", laneIn(commandId)));
    }
  }

  /** An id of ours begins with its kind and its lane. */
  private static String laneIn(String id) {
    return id.substring(1, id.indexOf('-'));
  }

  private static Map<?, ?> facts(JsonNode line) {
    return JSON.convertValue(line.at("/mdc"), Map.class);
  }

  /** The line whose text has these words, once it is written. */
  private static JsonNode line(ServiceProcess process, String words) {
    var found = new AtomicReference<JsonNode>();
    Patience.until(
        "the log has " + words,
        SOON,
        () -> {
          search(process, words).ifPresent(found::set);
          return found.get() != null;
        });
    return found.get();
  }

  private static Optional<JsonNode> search(ServiceProcess process, String words) {
    try (var lines = Files.lines(process.log())) {
      return lines
          .filter(line -> line.startsWith("{") && line.endsWith("}") && line.contains(words))
          .map(LogLinesIT::read)
          .filter(line -> line.at("/message").asText().contains(words))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }
}
