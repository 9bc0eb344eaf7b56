package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What one process decides about a token, the other knows; and what both do without Redis. */
class IdentityIT {

  private static final Duration A_SECOND = Duration.ofMillis(1_000);

  /** How often changes are told whose author could not. */
  private static final Duration PUBLISH_EVERY = Duration.ofSeconds(1);

  private static final Duration BACK_WITHIN = Duration.ofSeconds(2);

  /** Of a process that has nothing else to do on a machine that has. */
  private static final Duration REQUEST_ITSELF = Duration.ofMillis(500);

  private static final int MAX_STALE_SECONDS = 6;

  private static Arena arena;
  private static ServiceProcess a;
  private static ServiceProcess b;

  @BeforeAll
  static void start() {
    arena =
        Arena.with(
            Map.of("fencepost.identity.max-stale", MAX_STALE_SECONDS + "s"), "identity", "a", "b");
    a = arena.replicas().get(0);
    b = arena.replicas().get(1);
  }

  @AfterAll
  static void end() {
    arena.close();
  }

  @Test
  void what_one_process_ends_the_other_refuses_within_a_second() {
    Tokens.createUser(a, "ended");
    var first = Tokens.of(a, "ended");
    assertThat(Tokens.status(b, first)).isEqualTo(200);
    Tokens.asAdmin(a, "POST", "/v1/users/ended/logout", "");
    refused(A_SECOND, first);
    var second = Tokens.of(a, "ended");
    assertThat(Tokens.status(b, second)).as("a new login in the same second").isEqualTo(200);
    Tokens.renewPassword(a, "ended");
    refused(A_SECOND, second);
    var third = Tokens.of(a, "ended");
    assertThat(Tokens.status(b, third)).isEqualTo(200);
    Tokens.revoke(a, third);
    refused(A_SECOND, third);
    var fourth = Tokens.of(b, "ended");
    assertThat(Tokens.status(b, fourth)).isEqualTo(200);
    Tokens.asAdmin(a, "PUT", "/v1/users/ended/permissions", "{\"permissions\":[]}");
    Patience.until(
        "b knows of the new permissions",
        A_SECOND.plus(REQUEST_ITSELF),
        () -> Tokens.status(b, fourth) == 403);
  }

  @Test
  void a_change_whose_author_died_before_it_could_tell_is_told_by_the_other() {
    Tokens.createUser(a, "half");
    var token = Tokens.of(b, "half");
    var admin = Tokens.ofAdmin(a);
    assertThat(Tokens.status(b, token)).isEqualTo(200);
    assertThat(Tokens.status(a, admin)).as("a has a copy of the admin").isEqualTo(200);
    arena.proxyOf(a).setAway(true);
    try {
      assertThat(Tokens.send(a, "POST", "/v1/users/half/logout", admin, ""))
          .as("it stands in PostgreSQL, and Redis does not hear of it")
          .isEqualTo(503);
      a.stop();
      refused(PUBLISH_EVERY.plus(A_SECOND), token);
    } finally {
      arena.proxyOf(a).setAway(false);
      a.killAndReplace();
      a.awaitReady();
    }
    assertThat(Tokens.status(a, token)).isEqualTo(401);
  }

  @Test
  void without_redis_the_local_copy_is_good_for_a_while_and_then_nobody_gets_in() {
    Tokens.createUser(a, "stale");
    var token = Tokens.of(a, "stale");
    assertThat(Tokens.status(a, token)).isEqualTo(200);
    var away = System.nanoTime();
    arena.redis().signal(Signal.STOP);
    try {
      while (System.nanoTime() - away < Duration.ofSeconds(MAX_STALE_SECONDS - 2).toNanos()) {
        assertThat(Tokens.status(a, token)).as("on the local copy").isEqualTo(200);
        Patience.pause(100);
      }
      Patience.until(
          "the local copy is too old",
          Duration.ofSeconds(MAX_STALE_SECONDS),
          () -> Tokens.status(a, token) == 503);
    } finally {
      arena.redis().signal(Signal.CONT);
    }
    isBack("paused", token);
    for (var time = 0; time < 3; time++) {
      arena.proxyOf(a).setAway(true);
      try {
        Patience.until(
            "the local copy is too old",
            Duration.ofSeconds(2 * MAX_STALE_SECONDS),
            () -> Tokens.status(a, token) == 503);
      } finally {
        arena.proxyOf(a).setAway(false);
      }
      isBack("refused connections", token);
    }
  }

  private static void isBack(String what, String token) {
    var since = System.nanoTime();
    Patience.until(
        "a is back: Redis " + what, Duration.ofSeconds(10), () -> Tokens.status(a, token) == 200);
    var took = Duration.ofNanos(System.nanoTime() - since);
    System.out.printf("identity: redis_was=\"%s\" back_after_ms=%d%n", what, took.toMillis());
    assertThat(took).isLessThan(BACK_WITHIN);
  }

  private static void refused(Duration limit, String token) {
    Patience.until(
        "b refuses the token", limit.plus(REQUEST_ITSELF), () -> Tokens.status(b, token) == 401);
  }
}
