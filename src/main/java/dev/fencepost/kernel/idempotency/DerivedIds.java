package dev.fencepost.kernel.idempotency;

import dev.fencepost.platform.time.Entropy;
import dev.fencepost.platform.time.Ulid;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Ids of what a request creates. With an {@code Idempotency-Key} they derive from caller and key,
 * so that a repeat after any crash finds what was begun instead of beginning it again.
 */
@ApplicationScoped
public class DerivedIds {

  private final Entropy entropy;

  DerivedIds(Entropy entropy) {
    this.entropy = entropy;
  }

  /**
   * The id of one thing that this request creates: a ULID, as {@link Entropy#freshId()} makes them.
   *
   * @param what tells apart the things that one request creates, e.g. {@code ticket}
   */
  public String idOf(String what, RoutingContext request) {
    return Flights.of(request)
        .map(flight -> derived(what, flight.claim))
        .orElseGet(entropy::freshId);
  }

  /**
   * Whether an earlier holder of this request's key may have begun the work: then it must be looked
   * for, and no short cut taken.
   */
  public boolean mayHaveBegun(RoutingContext request) {
    return Flights.of(request).filter(flight -> flight.claim.attempts() > 1).isPresent();
  }

  /** With the time it was first seen: a key that is used again after it expired is a new one. */
  private static String derived(String what, Claim claim) {
    var seed =
        Digest.of(
            what,
            claim.intention().caller(),
            claim.intention().key().value(),
            Long.toString(claim.firstSeen()));
    return Ulid.of(claim.firstSeen(), seed.bytes());
  }
}
