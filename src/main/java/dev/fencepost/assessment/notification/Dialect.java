package dev.fencepost.assessment.notification;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import java.time.Instant;

/** How one kind of receiver wants to be told, and what its answers mean. */
interface Dialect {

  /**
   * Makes the request.
   *
   * @param now when it is sent; signatures are dated
   */
  Message message(Alarm alarm, Effect effect, boolean mayRepeat, Instant now);

  /** Reads what the receiver said. Not its HTTP status alone, if its body has a say. */
  Delivery read(Answer answer, Instant now);

  /** How often the receiver may be told. */
  RateBudget budget();
}
