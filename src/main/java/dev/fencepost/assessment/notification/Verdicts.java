package dev.fencepost.assessment.notification;

import dev.fencepost.assessment.notification.Delivery.InDoubt;
import dev.fencepost.assessment.notification.Delivery.Permanent;
import dev.fencepost.assessment.notification.Delivery.RetryLater;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import dev.fencepost.platform.outgoing.Unreachable;
import java.time.Duration;
import java.time.Instant;

/** What an answer, or none, says about a message, as far as all receivers agree on it. */
final class Verdicts {

  /** A receiver that says "too fast" counts in minutes; this is one. */
  static final Duration ONE_WINDOW = Duration.ofMinutes(1);

  private static final int TOO_MANY_REQUESTS = 429;

  private Verdicts() {}

  static boolean isSuccess(Answer answer) {
    return answer.status() / 100 == 2;
  }

  /** By the HTTP status, where the body has no say or said nothing that we know. */
  static Delivery byStatus(Answer answer, Instant now) {
    var reason = "http " + answer.status();
    var wait = RetryAfter.of(answer, now);
    if (answer.status() == TOO_MANY_REQUESTS) {
      return new RetryLater(reason, wait.orElse(ONE_WINDOW));
    }
    return switch (answer.status() / 100) {
      case 2 -> new InDoubt(reason + ", but the answer does not say that it was taken");
      case 3 -> new Permanent(reason + ": redirects are not followed");
      case 4 -> new Permanent(reason);
      default -> new RetryLater(reason, wait.orElse(Duration.ZERO));
    };
  }

  /** Without an answer, all depends on whether the request may have left. */
  static Delivery withoutAnswer(Unreachable failure) {
    return failure.mayHaveBeenSent()
        ? new InDoubt(failure.detail())
        : new RetryLater(failure.detail(), Duration.ZERO);
  }
}
