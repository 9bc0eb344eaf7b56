package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Redis has no memory left: it answers, but takes no writes. That is told and counted, reading and
 * renewing go on, and what was under way is brought to its end when there is room again.
 */
class RedisFullIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String REFUSALS = "fencepost_redis_refusals_total";

  @Test
  void what_redis_does_not_take_is_refused_and_counted_and_nothing_is_lost() {
    try (var arena = Arena.open("redis-full", "a", "b")) {
      var a = arena.replicas().get(0);
      var load = new Load(arena.outside());
      load.register(a, "under-way");
      load.register(a, "asked-meanwhile");
      var hold = arena.outside().holdNext("VULNERABILITY_QUERY");
      load.assess(a, "under-way", 0);
      hold.awaitEntered();
      assertThat(Device.post(a, "/v1/devices/full/live", "{\"session_id\":\"s\"}").statusCode())
          .isEqualTo(201);

      arena.redis().send("CONFIG", "SET", "maxmemory", "1");
      try {
        var refused = load.answer(a, "asked-meanwhile", 0);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains(":problem:unavailable", "takes no writes");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(Device.post(a, "/v1/devices/full/live/stop", "").statusCode()).isEqualTo(503);
        assertThat(a.get("/v1/assets/under-way").statusCode()).as("reading").isEqualTo(200);
        assertThat(a.get("/v1/devices/full/live").body()).as("reading").contains("\"s\"");

        var ready = a.get("/q/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).contains("\"reason\"", "memory full");
        assertThat(a.get("/q/health/live").statusCode()).isEqualTo(200);
        assertThat(Scrape.of(a, REFUSALS, "reason=\"memory full\"")).isPositive();

        Patience.pause(2 * Arena.LEASE.toMillis());
        assertThat(Scrape.of(arena.replicas(), "fencepost_leases_lost_total"))
            .as("renewing needs no memory")
            .isZero();
        hold.release();
        Patience.pause(1_000);
      } finally {
        hold.release();
        arena.redis().send("CONFIG", "SET", "maxmemory", "0");
      }

      Patience.until("it is ready again", SOON, a::isReady);
      assertThat(load.assess(a, "asked-meanwhile", 10)).isTrue();
      var verdict = Chaos.judge(arena, load, SOON);
      verdict.print("redis full", 0, 1, load);
      verdict.assertTrue();
    }
  }
}
