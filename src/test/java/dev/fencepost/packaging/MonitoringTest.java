package dev.fencepost.packaging;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.chaos.Patience;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Whether alerts and the dashboard speak of what the service shows, all of it from its start. */
@QuarkusTest
class MonitoringTest {

  private static final Path ALERTS = Path.of("monitoring", "alerts.yml");
  private static final Path DASHBOARD = Path.of("monitoring", "dashboard.json");

  /** What is counted in Redis is known once somebody has looked there. */
  private static final Set<String> IN_SWEEPS =
      Set.of("fencepost_agenda_entries", "fencepost_agenda_lag_seconds");

  private static final Duration SWEEPS = Duration.ofSeconds(60);

  /** What Prometheus makes itself of each target. */
  private static final Set<String> OF_PROMETHEUS = Set.of("up");

  private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool");
  private static final Pattern NO_NAMES =
      Pattern.compile("\\{[^}]*}|\\[[^]]*]|\\b(by|on|without|ignoring)\\s*\\([^)]*\\)");
  private static final Pattern NAME = Pattern.compile("\\b[a-z_][a-z0-9_]*\\b(?!\\s*\\()");
  private static final Pattern MATCHER = Pattern.compile("([a-z_]+)=~?\"");

  @Test
  void every_metric_that_an_alert_or_a_panel_names_is_there_before_anything_has_happened()
      throws IOException {
    var named = new TreeSet<String>();
    Stream.concat(alerts().map(alert -> (String) alert.get("expr")), panels())
        .forEach(expression -> named.addAll(names(expression)));
    named.removeAll(OF_PROMETHEUS);

    assertThat(named).hasSizeGreaterThan(40).contains("fencepost_leases_held");
    Patience.until("the first sweeps are over", SWEEPS, () -> shown().containsAll(IN_SWEEPS));
    assertThat(shown()).containsAll(named);
  }

  @Test
  void every_label_that_an_expression_picks_by_is_there() throws IOException {
    var labels =
        Stream.concat(alerts().map(alert -> (String) alert.get("expr")), panels())
            .flatMap(expression -> MATCHER.matcher(expression).results())
            .map(match -> match.group(1))
            .filter(label -> !Set.of("job", "instance").contains(label))
            .collect(Collectors.toSet());

    var metrics = metrics();
    assertThat(labels).contains("status", "area", "outcome", "state");
    assertThat(labels).allMatch(label -> metrics.contains(label + "=\""));
  }

  @Test
  void names_are_told_from_functions_labels_and_numbers() {
    assertThat(names("sum by (job) (rate(a_total{b=\"c\"}[5m])) / d > 0.9 and on (e) f_seconds"))
        .containsExactlyInAnyOrder("a_total", "d", "f_seconds");
  }

  @Test
  void every_alert_says_what_to_do() throws IOException {
    var manual = Files.readString(Path.of("docs", "operations.md"));

    assertThat(alerts())
        .hasSizeGreaterThan(10)
        .allSatisfy(
            alert -> {
              var name = (String) alert.get("alert");
              var annotations = (Map<?, ?>) alert.get("annotations");
              assertThat((String) annotations.get("summary")).isNotBlank();
              assertThat(annotations.get("runbook"))
                  .isEqualTo("docs/operations.md#" + name.toLowerCase(java.util.Locale.ROOT));
              assertThat(manual).contains("### " + name + "\n");
              assertThat(((Map<?, ?>) alert.get("labels")).get("severity")).isIn("page", "ticket");
            });
  }

  @Test
  void every_alert_is_tried_on_its_cause() throws IOException {
    var tried = Files.readString(Path.of("monitoring", "alerts-test.yml"));

    assertThat(alerts())
        .allSatisfy(alert -> assertThat(tried).contains("alertname: " + alert.get("alert") + "\n"));
  }

  private static Stream<Map<?, ?>> alerts() throws IOException {
    Map<String, List<Map<String, List<Map<?, ?>>>>> file =
        new Yaml().load(Files.readString(ALERTS));
    return file.get("groups").stream().flatMap(group -> group.get("rules").stream());
  }

  private static Stream<String> panels() throws IOException {
    var panels = new ObjectMapper().readTree(DASHBOARD.toFile()).get("panels");
    return StreamSupport.stream(panels.spliterator(), false)
        .flatMap(panel -> panel.findValues("expr").stream())
        .map(JsonNode::asText);
  }

  private static Set<String> names(String expression) {
    return NAME.matcher(NO_NAMES.matcher(expression).replaceAll(" "))
        .results()
        .map(MatchResult::group)
        .filter(name -> !OPERATORS.contains(name))
        .collect(Collectors.toSet());
  }

  /** The names of everything that is shown, by an instance that has done one thing. */
  private static Set<String> shown() {
    return metrics()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("[{ ]", 2)[0])
        .collect(Collectors.toSet());
  }

  private static String metrics() {
    System.gc();
    given().get("/v1/assets/nobody");
    return given().get("/q/metrics").asString();
  }
}
