package dev.fencepost.kernel.idempotency;

import dev.fencepost.kernel.fence.LeaseKeeper;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Claims a key, and waits for whoever has it: a moment if that is this process, else only for
 * clients that asked to.
 */
@ApplicationScoped
class ClaimKey {

  /** How often a key that someone works on is asked for again. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final AnswerStore answers;
  private final LeaseKeeper keeper;
  private final IdempotencySettings settings;
  private final Entropy entropy;

  ClaimKey(AnswerStore answers, LeaseKeeper keeper, IdempotencySettings settings, Entropy entropy) {
    this.answers = answers;
    this.keeper = keeper;
    this.settings = settings;
    this.entropy = entropy;
  }

  /**
   * Claims it.
   *
   * @param patience how long the client prefers to wait
   * @param mayWait whether there is room for one more that waits
   */
  Uni<Claimed> claim(Intention intention, Duration patience, BooleanSupplier mayWait) {
    return claim(intention, patience, mayWait, entropy.nanoTime());
  }

  // Not a time-out around the loop: that could drop a claim that was just granted.
  private Uni<Claimed> claim(
      Intention intention, Duration patience, BooleanSupplier mayWait, long since) {
    return answers
        .claim(intention)
        .flatMap(
            claimed ->
                claimed instanceof Claimed.InProgress other
                        && waits(other, patience, since)
                        && mayWait.getAsBoolean()
                    ? later().flatMap(now -> claim(intention, patience, mayWait, since))
                    : Uni.createFrom().item(claimed));
  }

  private boolean waits(Claimed.InProgress other, Duration patience, long since) {
    var joined = keeper.isHeldHere(other.holder()) ? settings.join() : Duration.ZERO;
    var longest = Math.max(patience.toNanos(), joined.toNanos());
    return entropy.nanoTime() - since < longest;
  }

  private static Uni<Void> later() {
    return Uni.createFrom().voidItem().onItem().delayIt().by(LOOK_EVERY);
  }
}
