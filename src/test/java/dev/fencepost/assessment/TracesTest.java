package dev.fencepost.assessment;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.chaos.Patience;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an operator sees of one assessment: its spans, its metrics. */
@QuarkusTest
@TestProfile(TracesTest.Collected.class)
class TracesTest {

  private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

  private static final Duration SOON = Duration.ofSeconds(20);

  @Inject InMemorySpanExporter exporter;

  @TestHTTPResource("/")
  URI here;

  private final String asset = "traced-" + UUID.randomUUID();

  @Test
  void every_step_is_a_span_of_the_callers_trace_and_names_its_ticket() {
    var ticket = assessed();
    Patience.until("three spans", SOON, () -> steps().count() >= 3);
    assertThat(steps())
        .extracting(SpanData::getName)
        .containsExactlyInAnyOrder("ONLINE_CHECK", "VULNERABILITY_QUERY", "THREAT_INTELLIGENCE");
    assertThat(steps())
        .allSatisfy(
            span -> {
              assertThat(span.getTraceId()).isEqualTo(TRACE_ID);
              assertThat(span.getAttributes().get(AttributeKey.stringKey("fencepost.ticket_id")))
                  .isEqualTo(ticket);
              assertThat(span.getAttributes().get(AttributeKey.stringKey("fencepost.outcome")))
                  .isEqualTo("done");
            });
  }

  @Test
  void steps_renewals_and_agendas_are_counted() {
    assessed();
    for (var counted :
        List.of(
            "fencepost_step_duration_seconds_count\\{outcome=\"done\",step=\"online_check\"\\} [1-9]",
            "fencepost_lease_renewal_duration_seconds_count [1-9]",
            "fencepost_agenda_entries\\{agenda=\"assessment\"\\} ",
            "fencepost_agenda_lag_seconds\\{agenda=\"assessment\"\\} ")) {
      Patience.until(
          "there is " + counted, SOON, () -> Pattern.compile(counted).matcher(metrics()).find());
    }
  }

  private static String metrics() {
    return given().get("/q/metrics").asString();
  }

  private String assessed() {
    given()
        .contentType("application/json")
        .body("{\"address\": \"tcp://127.0.0.1:%d\"}".formatted(here.getPort()))
        .put("/v1/assets/{id}", asset)
        .then()
        .statusCode(201);
    return given()
        .header("traceparent", "00-" + TRACE_ID + "-00f067aa0ba902b7-01")
        .header("Prefer", "wait=30")
        .post("/v1/assets/{id}/assessments", asset)
        .then()
        .statusCode(200)
        .extract()
        .path("ticket_id");
  }

  private Stream<SpanData> steps() {
    var steps = Stream.of(Step.values()).map(Step::name).toList();
    return exported().stream().filter(span -> steps.contains(span.getName()));
  }

  private List<SpanData> exported() {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> String.valueOf(span.getAttributes()).contains(asset))
        .toList();
  }

  /** As with a collector, which is here. */
  public static final class Collected implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "quarkus.otel.sdk.disabled", "false",
          "quarkus.otel.bsp.schedule.delay", "100ms");
    }
  }

  /** Only used where traces are collected. */
  @ApplicationScoped
  static class Collector {

    @Produces
    @ApplicationScoped
    InMemorySpanExporter exporter() {
      return InMemorySpanExporter.create();
    }
  }
}
