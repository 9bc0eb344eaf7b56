package dev.fencepost.kernel.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.kernel.audit.Alert;
import dev.fencepost.kernel.audit.AlertListener;
import dev.fencepost.kernel.fence.FencingToken;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Too many of a kind are told once per episode. */
@QuarkusTest
@TestProfile(AlertsTest.WithRules.class)
class AlertsTest {

  /** Two rules. */
  public static final class WithRules implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "fencepost.audit.alerts.guessing.action", "LOGIN_FAILED",
          "fencepost.audit.alerts.guessing.count", "3",
          "fencepost.audit.alerts.guessing.window", "10m",
          "fencepost.audit.alerts.stale.action", "STALE_WRITE_REFUSED",
          "fencepost.audit.alerts.stale.outcome", "LEASE_LOST",
          "fencepost.audit.alerts.stale.count", "2",
          "fencepost.audit.alerts.stale.window", "10m",
          "fencepost.audit.alerts.stale.per", "resource");
    }
  }

  /** Someone who hears of alerts, or cannot be reached. */
  @Singleton
  public static class Ear implements AlertListener {

    final List<Alert> heard = new CopyOnWriteArrayList<>();
    volatile boolean deaf;

    @Override
    public Uni<Void> tell(Alert alert) {
      if (deaf) {
        return Uni.createFrom().failure(new IllegalStateException("nobody there"));
      }
      heard.add(alert);
      return Uni.createFrom().voidItem();
    }
  }

  /** A chain that no device and no asset has part in: its time may run ahead. */
  private static final int NOBODYS_LANE = 9_999;

  @Inject ProjectByHand projection;
  @Inject WatchForAlerts watch;
  @Inject TellAlerts alerts;
  @Inject LedgerStore ledger;
  @Inject EntryReader reader;
  @Inject Ear ear;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;

  private final String who = "mallory-" + UUID.randomUUID();

  @Test
  void the_third_failure_is_told_and_the_fourth_is_the_same_episode() {
    fail("LOGIN_FAILED", "refused");
    fail("LOGIN_FAILED", "refused");
    assertThat(told()).isEmpty();
    fail("LOGIN_FAILED", "refused");
    assertThat(told()).singleElement().satisfies(a -> assertThat(a.events()).isEqualTo(3));
    fail("LOGIN_FAILED", "refused");
    assertThat(told()).hasSize(1);
  }

  @Test
  void what_nobody_could_be_told_of_is_told_later() {
    ear.deaf = true;
    fail("LOGIN_FAILED", "refused");
    fail("LOGIN_FAILED", "refused");
    fail("LOGIN_FAILED", "refused");
    assertThat(told()).isEmpty();
    ear.deaf = false;
    assertThat(told()).hasSize(1);
  }

  @Test
  void another_outcome_does_not_count() {
    fail("STALE_WRITE_REFUSED", "STALE_TOKEN");
    fail("STALE_WRITE_REFUSED", "LEASE_LOST");
    assertThat(told()).isEmpty();
    fail("STALE_WRITE_REFUSED", "LEASE_LOST");
    assertThat(told()).hasSize(1);
  }

  @Test
  void an_episode_of_two_windows_is_told_once_and_the_next_one_again() {
    var begin = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    failThreeTimes(begin);
    assertThat(toldOfEpisodes()).hasSize(1);
    failThreeTimes(begin.plus(Duration.ofMinutes(8)));
    failThreeTimes(begin.plus(Duration.ofMinutes(16)));
    assertThat(toldOfEpisodes()).as("it goes on").hasSize(1);

    failThreeTimes(begin.plus(Duration.ofMinutes(30)));

    assertThat(toldOfEpisodes()).as("none came for a window").hasSize(2);
    assertThat(toldOfEpisodes().get(1).since()).isEqualTo(begin.plus(Duration.ofMinutes(30)));
  }

  /** What a projector does with three entries, at a time of the test's own. */
  private void failThreeTimes(Instant when) {
    var fields =
        Map.of(
            "action",
            "LOGIN_FAILED",
            "outcome",
            "refused",
            "resource_id",
            who,
            "origin",
            "{\"user_id\":\"" + who + "\"}");
    var entries =
        Stream.of(0, 1, 2)
            .map(n -> new StreamEntry(new StreamId(when.toEpochMilli(), n), fields))
            .toList();
    var head = await(ledger.head(NOBODYS_LANE));
    var extension = Chain.extend(head, new Slice(entries, false), Map.of(), reader);
    var change = await(watch.prepare(extension.batch()));
    await(ledger.record(extension, new FencingToken(when.toEpochMilli()), List.of(change)));
  }

  private List<Alert> toldOfEpisodes() {
    await(alerts.tellAll());
    return ear.heard.stream().filter(alert -> alert.subject().equals(who)).toList();
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(20));
  }

  private List<Alert> told() {
    projection.project(lanes.of(who));
    alerts.tellAll().await().atMost(Duration.ofSeconds(20));
    return ear.heard.stream().filter(alert -> alert.subject().equals(who)).toList();
  }

  private void fail(String action, String outcome) {
    redis
        .send(
            Request.cmd(Command.XADD)
                .arg("audit:{" + lanes.of(who).number() + "}:events")
                .arg("*")
                .arg("action")
                .arg(action)
                .arg("outcome")
                .arg(outcome)
                .arg("resource_id")
                .arg(who)
                .arg("origin")
                .arg("{\"user_id\":\"" + who + "\"}"))
        .await()
        .atMost(Duration.ofSeconds(10));
  }
}
