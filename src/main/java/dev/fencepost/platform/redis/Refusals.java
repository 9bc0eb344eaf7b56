package dev.fencepost.platform.redis;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.vertx.redis.client.impl.types.ErrorType;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Replies that say "not executed: I take no writes now". To a caller such a Redis is as good as
 * away, and what it does not take must be tried again; only to its operator it is something else.
 */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class Refusals {

  /** Named as Redis begins its reply. */
  private enum Refusal {
    OOM("memory full"),
    MISCONF("disk failing"),
    NOREPLICAS("too few replicas"),
    BUSY("busy with a script");

    /** Redis 6 puts the error of a command into that of the script which ran it. */
    static final Pattern BEGINNING =
        Pattern.compile(
            Arrays.stream(values())
                .map(Enum::name)
                .collect(Collectors.joining("|", "(?:^|: -)(", ") ")));

    final String reason;

    Refusal(String reason) {
      this.reason = reason;
    }
  }

  /** What the client calls a connection that ended under a command; not a reply of Redis. */
  private static final String ENDED = "CONNECTION_CLOSED";

  /**
   * Replies that say "not executed; here or now is wrong": safe to send again, elsewhere or later.
   */
  private static final List<String> NOT_HERE_NOT_NOW =
      List.of("READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN");

  private final MeterRegistry metrics;

  Refusals(MeterRegistry metrics) {
    this.metrics = metrics;
    Arrays.stream(Refusal.values()).forEach(this::counted);
  }

  static boolean isEnd(ErrorType error) {
    return error.is(ENDED);
  }

  static boolean isForAnother(ErrorType error) {
    return NOT_HERE_NOT_NOW.stream().anyMatch(String.valueOf(error.getMessage())::contains);
  }

  /** What a caller is to hear of an error: that Redis is unavailable, or the error itself. */
  Throwable judge(ErrorType error) {
    var beginning = Refusal.BEGINNING.matcher(String.valueOf(error.getMessage()));
    if (!beginning.find()) {
      return error;
    }
    var refusal = Refusal.valueOf(beginning.group(1));
    counted(refusal).increment();
    return RedisUnavailable.refusal(refusal.reason);
  }

  private Counter counted(Refusal refusal) {
    return metrics.counter("fencepost.redis.refusals", "reason", refusal.reason);
  }
}
