package dev.fencepost.assessment;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far a ticket has come, and what last stood in its way.
 *
 * @param attempts how many holders have taken it up, this one included
 * @param lastError for people; never holds a secret
 * @param nextAttemptAt when it is due again, while it waits
 */
record Progress(
    TicketStatus status,
    int attempts,
    List<Step> completedSteps,
    @Nullable Step lastFailedStep,
    @Nullable String lastError,
    @Nullable Instant nextAttemptAt) {

  Progress {
    completedSteps = List.copyOf(completedSteps);
  }

  Progress moved(TicketStatus to, Step... completed) {
    return new Progress(
        to,
        attempts,
        Stream.concat(completedSteps.stream(), Stream.of(completed)).distinct().toList(),
        lastFailedStep,
        lastError,
        null);
  }

  Progress setBack(Step failed, String error, Instant next) {
    return new Progress(status, attempts, completedSteps, failed, error, next);
  }

  /** Left behind by a holder that could not end its work. */
  Progress left(String why) {
    return new Progress(status, attempts, completedSteps, lastFailedStep, why, nextAttemptAt);
  }

  Progress failed(Step failed, String error) {
    return new Progress(TicketStatus.FAILED, attempts, completedSteps, failed, error, null);
  }

  /** Not counted as an attempt: nothing went wrong, it was only not the time. */
  Progress uncounted() {
    return new Progress(
        status, attempts - 1, completedSteps, lastFailedStep, lastError, nextAttemptAt);
  }
}
