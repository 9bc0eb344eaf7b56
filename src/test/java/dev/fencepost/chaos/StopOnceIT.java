package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One click, one stop: through several processes, which may die. */
class StopOnceIT {

  private static final int STOPS = 200;
  private static final int CLIENTS = 20;

  /** Past the end of the lock, whose life is shortened to 5 s here; the profile runs 90 s. */
  private static final int RETRY_SECONDS = Chaos.number("chaos.stop-retry-seconds", 8);

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Map<String, String> FAST =
      Map.of(
          "fencepost.live.heartbeat-timeout", "3s",
          "fencepost.live.sweep-every", "500ms",
          "fencepost.live.stop-lock-ttl", "5s",
          "fencepost.command.ack-timeout", "1s");

  @Test
  void two_hundred_stops_through_two_processes_and_retries_past_the_locks_end_are_one_command() {
    try (var arena = Arena.with(slowToTimeOut(), "stop-once", "a", "b");
        var clients = new Workers();
        var device = new Device("once", arena.replicas().get(1))) {
      start(arena, "once", "s");
      var answers = new CopyOnWriteArrayList<String>();
      for (var c = 0; c < CLIENTS; c++) {
        var replica = arena.replicas().get(c % 2);
        clients.start(
            () -> {
              for (var i = 0; i < STOPS / CLIENTS; i++) {
                answers.add(stop(replica, "once"));
              }
            });
      }
      clients.awaitAll(60);
      assertThat(answers).hasSize(STOPS);
      assertThat(answers.stream().filter(a -> a.contains("\"result\":\"accepted\""))).hasSize(1);
      var id = found(answers.get(0), "command_id");

      var end = System.nanoTime() + Duration.ofSeconds(RETRY_SECONDS).toNanos();
      for (var i = 0; System.nanoTime() < end; i++) {
        answers.add(stop(arena.replicas().get(i % 2), "once"));
        Patience.pause(50);
      }
      Patience.until("the device is told again", PATIENCE, () -> device.commands().size() > 1);
      applied(arena.replicas().get(0), id);
      answers.add(stop(arena.replicas().get(1), "once"));

      assertThat(answers.stream().filter(a -> a.contains("\"result\":\"accepted\""))).hasSize(1);
      assertThat(answers).allMatch(answer -> found(answer, "command_id").equals(id));
      assertThat(new HashSet<>(device.commands())).containsExactly(id);
      assertThat(answers.get(answers.size() - 1)).contains("already_stopped");
      System.out.printf("chaos: stops=%d accepted=1 commands=1%n", answers.size());
    }
  }

  @Test
  void a_command_survives_the_process_that_made_it_and_the_one_that_sent_it() {
    try (var arena = Arena.with(slowToTimeOut(), "stop-kill", "a", "b")) {
      var a = arena.replicas().get(0);
      var b = arena.replicas().get(1);
      start(arena, "survivor", "s");
      var id = found(stop(a, "survivor"), "command_id");
      assertThat(Device.get(b, "/v1/commands/" + id)).contains("\"status\":\"pending\"");
      a.killAndReplace();
      try (var device = new Device("survivor", b)) {
        Patience.until("the other one sends it", PATIENCE, () -> !device.commands().isEmpty());
        a.awaitReady();
        var before = device.commands().size();
        device.moveTo(a);
        b.killAndReplace();
        Patience.until("it comes again", PATIENCE, () -> device.commands().size() > before);
        b.awaitReady();
        applied(b, id);
        assertThat(new HashSet<>(device.commands())).containsExactly(id);
      }
      assertThat(Device.get(a, "/v1/devices/survivor/live"))
          .contains("\"status\":\"stopped\"", "\"confirmation\":\"applied\"");
      assertThat(ChaosChecker.check(arena.history())).isEmpty();
    }
  }

  @Test
  void a_silent_device_is_stopped_in_time_by_three_replicas_with_one_command() {
    try (var arena = Arena.with(FAST, "stop-silent", "a", "b", "c")) {
      var devices = List.of("quiet-1", "quiet-2", "quiet-3", "quiet-4");
      devices.forEach(device -> start(arena, device, "s"));
      var since = System.nanoTime();
      var a = arena.replicas().get(0);
      for (var device : devices) {
        Patience.until(
            device + " is stopped",
            PATIENCE,
            () -> Device.get(a, "/v1/devices/" + device + "/live").contains("heartbeat_timeout"));
      }
      assertThat(Duration.ofNanos(System.nanoTime() - since))
          .as("3 s of silence, a sweep of 500 ms, and a busy machine")
          .isLessThan(Duration.ofSeconds(8));
      for (var device : devices) {
        var commands = Device.get(a, "/v1/devices/" + device + "/commands");
        assertThat(commands.split("\"command_id\"", -1)).as(commands).hasSize(2);
      }
    }
  }

  private static Map<String, String> slowToTimeOut() {
    var settings = new HashMap<>(FAST);
    settings.put("fencepost.live.heartbeat-timeout", "10m");
    return settings;
  }

  /** Asks again while the answer is 503: three processes that start slow each other down. */
  private static void start(Arena arena, String device, String session) {
    var a = arena.replicas().get(0);
    var path = "/v1/devices/" + device + "/live";
    var body = "{\"session_id\": \"" + session + "\"}";
    Patience.until(
        device + " is live", PATIENCE, () -> Device.post(a, path, body).statusCode() != 503);
    assertThat(Device.get(a, path)).contains("\"session_id\":\"" + session + "\"");
  }

  private static String stop(ServiceProcess replica, String device) {
    var answer = Device.post(replica, "/v1/devices/" + device + "/live/stop", "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static void applied(ServiceProcess replica, String commandId) {
    var answer =
        Device.post(replica, "/v1/commands/" + commandId + "/applied", "{\"success\": true}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
  }

  private static String found(String answer, String field) {
    var match = Pattern.compile("\"" + field + "\":\"([^\"]+)\"").matcher(answer);
    assertThat(match.find()).as(answer).isTrue();
    return match.group(1);
  }
}
