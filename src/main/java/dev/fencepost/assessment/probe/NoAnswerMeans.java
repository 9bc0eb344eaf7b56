package dev.fencepost.assessment.probe;

import dev.fencepost.platform.outgoing.Unreachable;
import io.smallrye.mutiny.Uni;
import java.time.Duration;

/** What it says about an asset when its host gave no answer. */
final class NoAnswerMeans {

  private NoAnswerMeans() {}

  /**
   * A refusal is the host's own word; silence and a missing route are the network's; anything else
   * says nothing about the asset.
   */
  static Uni<Online> judge(
      Unreachable failure, String method, String what, Duration timeout, Stopwatch watch) {
    return switch (failure.kind()) {
      case REFUSED -> Uni.createFrom().item(watch.saw(true, method, what + " refused"));
      case TIMED_OUT ->
          Uni.createFrom()
              .item(
                  watch.heardNothing(
                      method, what + " timed out after " + timeout.toMillis() + " ms"));
      case NO_ROUTE -> Uni.createFrom().item(watch.saw(false, method, what + " has no route"));
      case UNKNOWN_HOST, BROKEN, TOO_LARGE ->
          Uni.createFrom().failure(new ProbeFailed(failure.detail()));
    };
  }
}
