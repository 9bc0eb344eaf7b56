package dev.fencepost.kernel.identity.grant;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.identity.user.CheckPassword;
import dev.fencepost.kernel.identity.user.SlowWork;
import dev.fencepost.kernel.identity.user.User;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who guesses together learns no more than who guesses in turn; who knows gets in. */
@QuarkusTest
class LogInTest {

  private static final String PASSWORD = "correct horse battery";
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int FREE = 5;
  private static final int TOGETHER = 40;
  private static final int MORE_THAN_THREADS = 16;
  private static final Trace TRACE = Trace.fresh(new byte[Trace.SEED_BYTES]);

  @Inject RedisRoad redis;
  @Inject Lanes lanes;
  @Inject Entropy entropy;
  @Inject CheckPassword checkPassword;
  @Inject SlowWork slowWork;
  @Inject AuditTrail trail;

  private final String user = "u-" + UUID.randomUUID();

  /** Of a request that comes from an address of its own. */
  private final Origin origin =
      Origin.ofRequest(TRACE, Optional.empty(), "address of " + user, null);

  @BeforeEach
  void createTheUser() {
    given()
        .contentType(ContentType.JSON)
        .body(
            Map.of(
                "user_id", user, "password", PASSWORD, "kind", "service", "permissions", List.of()))
        .post("/v1/users")
        .then()
        .statusCode(201);
  }

  /** Whoever is locked stays so for the test. */
  private record Slow(int freePerAccount, int freePerAddress, Duration judgedWithin)
      implements BackoffSettings {

    @Override
    public Duration first() {
      return Duration.ofMinutes(5);
    }

    @Override
    public Duration longest() {
      return Duration.ofMinutes(5);
    }

    @Override
    public Duration forgetAfter() {
      return Duration.ofMinutes(15);
    }

    @Override
    public Duration waitForTurn() {
      return Duration.ofSeconds(30);
    }
  }

  private static final BackoffSettings PER_ACCOUNT =
      new Slow(FREE, 10 * TOGETHER, Duration.ofSeconds(30));
  private static final BackoffSettings PER_ADDRESS =
      new Slow(10 * TOGETHER, FREE, Duration.ofSeconds(30));

  @Test
  void of_many_guesses_at_once_no_more_are_heard_than_of_guesses_in_turn() {
    var logIn = logIn(PER_ACCOUNT);
    assertThat(together(i -> isHeard(logIn, user, "guess " + i)).stream().filter(heard -> heard))
        .hasSize(FREE + 1);
    assertThatThrownBy(() -> prove(logIn, PASSWORD))
        .isInstanceOf(OAuthRefused.class)
        .hasMessageContaining("failed");
  }

  @Test
  void an_address_is_held_to_it_as_well_whatever_names_it_tries() {
    var logIn = logIn(PER_ADDRESS);
    assertThat(
            together(i -> isHeard(logIn, "nobody-" + i, "guess")).stream().filter(heard -> heard))
        .hasSize(FREE + 1);
  }

  @Test
  void the_replicas_of_a_client_that_log_in_at_once_all_get_in() {
    var logIn = logIn(PER_ACCOUNT);
    assertThat(together(i -> prove(logIn, PASSWORD))).allMatch(Optional::isPresent);
    var behindOneAddress = logIn(PER_ADDRESS);
    assertThat(together(i -> prove(behindOneAddress, PASSWORD))).allMatch(Optional::isPresent);
  }

  @Test
  void a_client_that_does_not_encode_its_secret_gets_in_as_well_and_as_often() {
    var logIn = logIn(PER_ACCOUNT);
    assertThat(together(i -> prove(logIn, "decoded", PASSWORD))).allMatch(Optional::isPresent);
  }

  @Test
  void both_readings_of_a_wrong_secret_are_failures() {
    var logIn = logIn(PER_ACCOUNT);
    IntStream.range(0, FREE / 2 + 1).forEach(i -> prove(logIn, "one", "other"));
    assertThatThrownBy(() -> prove(logIn, PASSWORD)).isInstanceOf(OAuthRefused.class);
  }

  @Test
  void what_nobody_judged_in_time_is_given_back() {
    var logIn = logIn(PER_ACCOUNT);
    var hasty = logIn(new Slow(FREE, FREE, Duration.ofMillis(50)));
    var end = new CountDownLatch(1);
    try {
      IntStream.range(0, MORE_THAN_THREADS).forEach(i -> keepBusyUntil(end));
      for (var i = 0; i <= FREE; i++) {
        assertThatThrownBy(() -> prove(hasty, PASSWORD)).isInstanceOf(Refused.class);
      }
    } finally {
      end.countDown();
    }
    assertThat(prove(logIn, PASSWORD)).isPresent();
  }

  private void keepBusyUntil(CountDownLatch end) {
    slowWork
        .compute(
            () -> {
              try {
                return end.await(SOON.toSeconds(), TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            })
        .subscribe()
        .with(done -> {});
  }

  @Test
  void a_try_whose_process_died_is_given_up_in_the_end() {
    var store = new BackoffStore(redis, lanes, PER_ACCOUNT);
    for (var i = 0; i <= FREE; i++) {
      assertThat(store.take(user, user).await().atMost(SOON).isTaken()).isTrue();
    }
    assertThat(store.take(user, user).await().atMost(SOON).answer()).isEqualTo(Turn.Answer.BUSY);
    var trying = lanes.of(user).key("identity", "trying", "account:" + user);
    var left = redis.send(Request.cmd(Command.PTTL).arg(trying)).await().atMost(SOON).toLong();
    assertThat(Duration.ofMillis(left))
        .isBetween(Duration.ofSeconds(1), PER_ACCOUNT.judgedWithin().plusSeconds(10));
  }

  private LogIn logIn(BackoffSettings settings) {
    var backoff = new BackoffStore(redis, lanes, settings);
    var awaitTurn = new AwaitTurn(backoff, settings, entropy);
    return new LogIn(checkPassword, awaitTurn, backoff, settings, trail);
  }

  private Optional<User> prove(LogIn logIn, String... readings) {
    return logIn.prove(user, List.of(readings), origin).await().atMost(SOON);
  }

  /** Whether somebody looked at the password, which is wrong. */
  private boolean isHeard(LogIn logIn, String userId, String password) {
    try {
      assertThat(logIn.prove(userId, List.of(password), origin).await().atMost(SOON)).isEmpty();
      return true;
    } catch (OAuthRefused refused) {
      return false;
    }
  }

  private static <T> List<T> together(IntFunction<T> work) {
    var threads = Executors.newFixedThreadPool(TOGETHER);
    try {
      return IntStream.range(0, TOGETHER)
          .mapToObj(i -> CompletableFuture.supplyAsync(() -> work.apply(i), threads))
          .toList()
          .stream()
          .map(CompletableFuture::join)
          .toList();
    } finally {
      threads.shutdown();
    }
  }
}
