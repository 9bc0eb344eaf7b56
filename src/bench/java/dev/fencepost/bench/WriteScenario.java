package dev.fencepost.bench;

import dev.fencepost.assessment.BenchTickets;
import dev.fencepost.assessment.BenchTickets.Working;
import dev.fencepost.platform.redis.RedisRoad;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One fenced write with its event, in microseconds of Redis: against the HSET and XADD it contains,
 * sent bare, and against a script that keeps the ticket as JSON.
 */
final class WriteScenario {

  private static final int TICKETS = 64;
  private static final int IN_FLIGHT = 16;
  private static final int[] BYTES = {600, 4096};
  private static final String NOW = "2026-01-01T00:00:00.000Z";

  private final Stores stores;
  private final Scale scale;
  private final Wiring wiring;
  private final RedisRoad road;
  private final BenchTickets tickets;
  private final List<Working> held = new ArrayList<>();

  private WriteScenario(Stores stores, Scale scale, Wiring wiring) {
    this.stores = stores;
    this.scale = scale;
    this.wiring = wiring;
    this.road = wiring.get(RedisRoad.class);
    this.tickets = new BenchTickets(wiring);
  }

  static void run(Stores stores, Scale scale, Results results) {
    var settings = Map.of("fencepost.lease.ttl", "10m");
    try (var wiring = new Wiring(stores.redisPort(), stores.redisPassword(), settings)) {
      var scenario = new WriteScenario(stores, scale, wiring);
      scenario.open();
      for (var bytes : BYTES) {
        scenario.compare(bytes, results);
      }
    }
  }

  private void open() {
    ClosedLoop.each(
        wiring.vertx(), 1, TICKETS, i -> tickets.open("written-" + i).invoke(held::add));
  }

  private void compare(int bytes, Results results) {
    var frame = tickets.fields(held.get(0), "").get("findings").length();
    var padding = "x".repeat(bytes - frame);
    var findings = tickets.fields(held.get(0), padding).get("findings");
    prepareJson(findings);
    for (var appendOnly : new boolean[] {false, true}) {
      stores.appendOnly(appendOnly);
      var turns =
          new Turns<Micros>()
              .side("fencepost", () -> micros(w -> tickets.write(held.get(w), padding), "evalsha"))
              .side("bare", () -> micros(w -> bare(held.get(w), findings), "hset", "xadd"))
              .side("cjson", () -> micros(w -> cjson(w, findings), "evalsha"))
              .play(scale.rounds());
      show(bytes, appendOnly, turns, results);
    }
  }

  /**
   * Of Redis, for one write.
   *
   * @param told what it says a command took; with AOF on, a script's includes the feeding of the
   *     file and a bare command's does not
   * @param cpu of its main thread, everything included
   */
  private record Micros(double told, double cpu) {}

  private void show(int bytes, boolean appendOnly, Turns<Micros> turns, Results results) {
    var ratio = turns.ratio("fencepost", "bare", Micros::told);
    var line =
        Line.of("write")
            .with("bytes", bytes)
            .with("AOF", appendOnly ? "everysec" : "off")
            .with("fencepost µs", turns.spread("fencepost", Micros::told))
            .with("bare HSET + XADD µs", turns.spread("bare", Micros::told))
            .with("cjson µs", turns.spread("cjson", Micros::told))
            .with("ratio to bare", ratio);
    if (!appendOnly) {
      line.atMost(1.3, ratio.median());
    }
    results.add(
        line.with("ratio of all CPU to bare", turns.ratio("fencepost", "bare", Micros::cpu))
            .with("fencepost CPU µs", turns.spread("fencepost", Micros::cpu))
            .with("bare CPU µs", turns.spread("bare", Micros::cpu))
            .with("cjson, times fencepost", turns.ratio("cjson", "fencepost", Micros::told)));
  }

  private Micros micros(java.util.function.IntFunction<Uni<?>> write, String... commands) {
    try (var redis = stores.resp()) {
      var before = ServerTime.of(redis);
      var round =
          ClosedLoop.run(wiring.vertx(), IN_FLIGHT, scale.round(), ClosedLoop.Operation.of(write));
      var done = ServerTime.of(redis).since(before);
      var writes = (double) round.operations();
      return new Micros(done.micros(commands) / writes, done.cpuMicros() / writes);
    }
  }

  private Uni<?> bare(Working working, String findings) {
    var lease = working.lease();
    var hset =
        Request.cmd(Command.HSET)
            .arg(working.ticketKey())
            .arg("status")
            .arg("INIT")
            .arg("facts")
            .arg("1")
            .arg("updated_at")
            .arg(NOW)
            .arg("findings")
            .arg(findings);
    var xadd = Request.cmd(Command.XADD).arg(working.auditKey());
    List.of("MAXLEN", "~", "10000", "*", "action", "TICKET_RECORDED", "outcome", "accepted")
        .forEach(xadd::arg);
    List.of("resource_id", lease.subject().substring(0, lease.subject().indexOf(' ')))
        .forEach(xadd::arg);
    List.of("fencing_token", lease.token().toString(), "holder", lease.holder(), "to", "INIT")
        .forEach(xadd::arg);
    List.of("then", "KEEP", "origin", "{\"trace_id\":\"0123456789abcdef0123456789abcdef\"}")
        .forEach(xadd::arg);
    return Uni.combine().all().unis(road.send(hset), road.send(xadd)).asTuple();
  }

  private String jsonKey(int worker) {
    return held.get(worker).ticketKey() + ":json";
  }

  private void prepareJson(String findings) {
    try (var redis = stores.resp()) {
      for (var i = 0; i < IN_FLIGHT; i++) {
        var lease = held.get(i).lease();
        redis.send(
            "SET",
            jsonKey(i),
            """
            {"ticket_id":"%s","status":"INIT","fencing_token":"%s","holder":"%s","attempts":1,
             "created_at":"%s","updated_at":"%s","findings":%s}"""
                .formatted(lease.subject(), lease.token(), lease.holder(), NOW, NOW, findings));
      }
    }
  }

  private Uni<?> cjson(int worker, String findings) {
    var working = held.get(worker);
    var eval =
        Request.cmd(Command.EVALSHA)
            .arg(sha())
            .arg(3)
            .arg(jsonKey(worker))
            .arg(working.lease().key())
            .arg(working.auditKey())
            .arg(working.lease().token().toString())
            .arg(working.lease().holder())
            .arg("INIT")
            .arg(NOW)
            .arg(findings);
    return road.send(eval)
        .invoke(
            answer -> {
              if (!"RECORDED".equals(answer.toString())) {
                throw new IllegalStateException("the other way answers " + answer);
              }
            });
  }

  private String loaded = "";

  private String sha() {
    if (loaded.isEmpty()) {
      try (var redis = stores.resp();
          var in = WriteScenario.class.getResourceAsStream("/bench/cjson-write.lua")) {
        loaded =
            redis.text("SCRIPT", "LOAD", new String(in.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return loaded;
  }
}
