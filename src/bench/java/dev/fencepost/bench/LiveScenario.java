package dev.fencepost.bench;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.live.BenchSweep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Heartbeats and stops over HTTP, and what a sweep for silent devices costs among many. */
final class LiveScenario {

  private static final int IN_FLIGHT = 64;
  private static final int DEVICES = 6_000;
  private static final int[] SESSIONS = {10_000, 100_000, 1_000_000};
  private static final int[] DUE = {0, 100, 10_000};
  private static final int BATCH = 1_000;
  private static final String SESSION = "bench-session";

  private LiveScenario() {}

  /** What a sweep of many sessions costs. */
  static void sweep(Stores stores, Scale scale, Results results) {
    var settings = Map.of("fencepost.live.heartbeat-timeout", "10h");
    try (var wiring = new Wiring(stores.redisPort(), stores.redisPassword(), settings)) {
      new Sweeps(stores, scale, wiring).run(results);
    }
  }

  /** What devices do. */
  static void rates(Town town, Scale scale, Results results) {
    var client = town.toService();
    var devices = scale.of(DEVICES);
    var session = "{\"session_id\":\"" + SESSION + "\"}";
    var starting = System.nanoTime();
    ClosedLoop.each(
        town.vertx(),
        IN_FLIGHT,
        devices,
        i -> client.post("/v1/devices/device-" + i + "/live", session));
    var starts = devices / ((System.nanoTime() - starting) / 1e9);
    var at = new int[IN_FLIGHT];
    var each = Math.max(1, devices / IN_FLIGHT);
    var heartbeat =
        ClosedLoop.Operation.of(
            w ->
                client.post(
                    "/v1/devices/device-%d/live/heartbeat"
                        .formatted((w * each + at[w]++ % each) % devices),
                    session));
    var turns =
        new Turns<Round>()
            .side(
                "heartbeats",
                () -> ClosedLoop.run(town.vertx(), IN_FLIGHT, scale.round(), heartbeat))
            .play(scale.rounds());
    var stopping = System.nanoTime();
    ClosedLoop.each(
        town.vertx(),
        IN_FLIGHT,
        devices,
        i -> client.post("/v1/devices/device-" + i + "/live/stop", session));
    var stops = devices / ((System.nanoTime() - stopping) / 1e9);
    results.add(
        Line.of("live")
            .with("in flight", IN_FLIGHT)
            .with("heartbeats/s", turns.spread("heartbeats", Round::perSecond))
            .with("heartbeat p99 ms", turns.spread("heartbeats", Round::p99).median())
            .with("starts/s", starts)
            .with("stops/s", stops));
  }

  /** One sweep of all lanes by the product's own code. */
  private static final class Sweeps {

    private final Stores stores;
    private final Scale scale;
    private final Wiring wiring;
    private final Lanes lanes;
    private final BenchSweep sweep;
    private int named;

    Sweeps(Stores stores, Scale scale, Wiring wiring) {
      this.stores = stores;
      this.scale = scale;
      this.wiring = wiring;
      this.lanes = wiring.get(Lanes.class);
      this.sweep = new BenchSweep(wiring);
    }

    private record Cost(double millis, double redisMicros, double commands) {}

    void run(Results results) {
      var there = 0;
      sweep(0);
      for (var sessions : SESSIONS) {
        var before = usedBytes();
        var more = scale.of(sessions) - there;
        stores.appendOnly(false);
        load(more, false);
        stores.appendOnly(true);
        there = scale.of(sessions);
        var bytes = (usedBytes() - before) / more;
        for (var due : DUE) {
          measure(there, due == 0 ? 0 : scale.of(due), bytes, results);
        }
      }
    }

    private double usedBytes() {
      try (var redis = stores.resp()) {
        return Double.parseDouble(ServerTime.fields(redis, "memory").get("used_memory"));
      }
    }

    private void measure(int sessions, int due, double bytes, Results results) {
      var turns =
          new Turns<Cost>().side("sweep", () -> sweep(due)).play(Math.min(2, scale.rounds()));
      results.add(
          Line.of("sweep")
              .with("sessions", sessions)
              .with("due", due)
              .with("Redis bytes per session", bytes)
              .with("ms", turns.spread("sweep", Cost::millis))
              .with("Redis CPU µs", turns.spread("sweep", Cost::redisMicros))
              .with("scripts", turns.spread("sweep", Cost::commands)));
    }

    private Cost sweep(int due) {
      load(due, true);
      try (var redis = stores.resp()) {
        var before = ServerTime.of(redis);
        var begin = System.nanoTime();
        ClosedLoop.each(wiring.vertx(), 1, 1, i -> sweep.sweep());
        var millis = (System.nanoTime() - begin) / 1e6;
        var done = ServerTime.of(redis).since(before);
        return new Cost(millis, done.cpuMicros(), done.calls("evalsha", "eval"));
      }
    }

    private void load(int count, boolean silent) {
      var byLane = new HashMap<Lane, List<String>>();
      for (var i = 0; i < count; i++) {
        var device = "swept-" + named++;
        byLane.computeIfAbsent(lanes.of(device), lane -> new ArrayList<>()).add(device);
      }
      try (var redis = stores.resp();
          var in = LiveScenario.class.getResourceAsStream("/bench/load-sessions.lua")) {
        var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        var sha = redis.text("SCRIPT", "LOAD", text);
        byLane.forEach((lane, devices) -> load(redis, sha, lane, devices, silent));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void load(
        Resp redis, String sha, Lane lane, List<String> devices, boolean silent) {
      for (var from = 0; from < devices.size(); from += BATCH) {
        var words = new ArrayList<Object>(List.of("EVALSHA", sha, 2));
        words.add(lane.key("live", "session", "active"));
        words.add(lane.key("live", "sessions", "live"));
        words.add(lane.key("live", "session", ""));
        words.add(silent ? 1 : 0);
        words.add(SESSION);
        words.addAll(devices.subList(from, Math.min(devices.size(), from + BATCH)));
        redis.send(words.toArray());
      }
    }
  }
}
