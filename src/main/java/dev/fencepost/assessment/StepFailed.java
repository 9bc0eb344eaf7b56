package dev.fencepost.assessment;

import dev.fencepost.assessment.advisory.AdvisoriesUnavailable;
import dev.fencepost.assessment.probe.ProbeFailed;
import dev.fencepost.kernel.fence.LeaseLost;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.outgoing.ForbiddenAddress;
import dev.fencepost.platform.outgoing.Unreachable;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.telemetry.LogFacts;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/** A step gave no answer. Carries the run as it stands, so that the setback can be recorded. */
final class StepFailed extends RuntimeException {

  private static final Logger LOG = Logger.getLogger(StepFailed.class);

  /** Failures whose message was written for people; any other is a bug and stays in the log. */
  private static final List<Class<? extends RuntimeException>> TELLING =
      List.of(
          ProbeFailed.class,
          ForbiddenAddress.class,
          Unreachable.class,
          AdvisoriesUnavailable.class,
          Refused.class);

  private final transient Run run;
  private final Step step;
  private final transient Optional<Duration> notBefore;

  private StepFailed(Run run, Step step, String reason, Optional<Duration> notBefore) {
    super(reason, null, false, false);
    this.run = run;
    this.step = step;
    this.notBefore = notBefore;
  }

  /** It went wrong: counts as an attempt. */
  static StepFailed because(Run run, Step step, String reason) {
    return new StepFailed(run, step, reason, Optional.empty());
  }

  /** It was not the time, e.g. a channel's rate budget is used up: does not count. */
  static StepFailed notBefore(Run run, Step step, String reason, Duration wait) {
    return new StepFailed(run, step, reason, Optional.of(wait));
  }

  /**
   * Turns whatever a step may fail with into a failed step. Only a lost lease and an absent Redis
   * pass: after those, nothing can be recorded here.
   */
  static <T> Uni<T> guard(Run run, Step step, Uni<T> work) {
    return work.onFailure(StepFailed::isTheSteps)
        .transform(failure -> because(run, step, describe(step, run, failure)));
  }

  private static boolean isTheSteps(Throwable failure) {
    return !(failure instanceof StepFailed
        || failure instanceof LeaseLost
        || failure instanceof RedisUnavailable);
  }

  private static String describe(Step step, Run run, Throwable failure) {
    if (failure instanceof TimeoutException) {
      return "no answer within the step's time limit";
    }
    if (TELLING.stream().anyMatch(type -> type.isInstance(failure))) {
      return String.valueOf(failure.getMessage());
    }
    LogFacts.log(
        LOG,
        Level.ERROR,
        run::facts,
        failure,
        "ticket %s: %s broke",
        run.ticket().ticketId(),
        step);
    return "internal error, trace " + run.trace().traceId();
  }

  /** The same failure, as of a later state of the run. */
  StepFailed at(Run later) {
    return new StepFailed(later, step, reason(), notBefore);
  }

  Run run() {
    return run;
  }

  Step step() {
    return step;
  }

  String reason() {
    return String.valueOf(getMessage());
  }

  Optional<Duration> notBefore() {
    return notBefore;
  }
}
