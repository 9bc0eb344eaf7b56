package dev.fencepost.kernel.identity.grant;

import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * Lets a login wait while as many of its account or address are judged as may fail. Replicas of a
 * client that log in together so get in one after the other; those who guess together find out
 * nothing that guessing in turn would not have told them.
 */
@ApplicationScoped
class AwaitTurn {

  /** How often a turn is asked for again: about as long as a password takes to be judged. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final BackoffStore backoff;
  private final BackoffSettings settings;
  private final Entropy entropy;

  AwaitTurn(BackoffStore backoff, BackoffSettings settings, Entropy entropy) {
    this.backoff = backoff;
    this.settings = settings;
    this.entropy = entropy;
  }

  /** The turn; still busy if it did not come in time. */
  Uni<Turn> take(String account, String address) {
    return take(account, address, entropy.nanoTime());
  }

  // Not a time-out around the loop: that could drop a turn that was just taken.
  private Uni<Turn> take(String account, String address, long since) {
    return backoff
        .take(account, address)
        .flatMap(
            turn ->
                turn.answer() == Turn.Answer.BUSY && waits(since)
                    ? later().flatMap(now -> take(account, address, since))
                    : Uni.createFrom().item(turn));
  }

  private boolean waits(long since) {
    return entropy.nanoTime() - since < settings.waitForTurn().toNanos();
  }

  private static Uni<Void> later() {
    return Uni.createFrom().voidItem().onItem().delayIt().by(LOOK_EVERY);
  }
}
