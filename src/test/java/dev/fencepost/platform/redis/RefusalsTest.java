package dev.fencepost.platform.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.redis.client.impl.types.ErrorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts are those of Redis 6.2 (an error in a script's error) and 7.0. */
class RefusalsTest {

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final Refusals refusals = new Refusals(metrics);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          OOM command not allowed when used memory > 'maxmemory'.                           | memory full
          OOM command not allowed when used memory > 'maxmemory'. script: a1b2, on @user_script:3. | memory full
          ERR Error running script (call to f_a1b2): @user_script:47: @user_script: 47: -OOM command not allowed when used memory > 'maxmemory'. | memory full
          MISCONF Errors writing to the AOF file: No space left on device                   | disk failing
          ERR Error running script (call to f_a1b2): @user_script:4: @user_script: 4: -MISCONF Errors writing to the AOF file: No space left on device | disk failing
          NOREPLICAS Not enough good replicas to write.                                     | too few replicas
          BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE. | busy with a script
          """)
  void a_redis_that_takes_no_writes_is_unavailable_and_its_reason_is_counted(
      String reply, String reason) {
    assertThat(refusals.judge(ErrorType.create(reply)))
        .isInstanceOfSatisfying(
            RedisUnavailable.class,
            away -> assertThat(away.cause()).isEqualTo(RedisUnavailable.Cause.TAKES_NO_WRITES))
        .hasMessageContaining(reason);
    assertThat(metrics.counter("fencepost.redis.refusals", "reason", reason).count()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "BUSYGROUP Consumer Group name already exists",
        "ERR Error running script (call to f_a1b2): @user_script:9: the OOM killer came",
        "NOSCRIPT No matching script. Please use EVAL."
      })
  void any_other_error_stays_what_it_is(String reply) {
    var error = ErrorType.create(reply);

    assertThat(refusals.judge(error)).isSameAs(error);
  }

  @Test
  void every_reason_is_shown_before_it_occurs() {
    assertThat(metrics.find("fencepost.redis.refusals").counters())
        .hasSize(4)
        .allMatch(counter -> counter.count() == 0);
  }
}
