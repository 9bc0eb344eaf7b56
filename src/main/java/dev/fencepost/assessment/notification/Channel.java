package dev.fencepost.assessment.notification;

import dev.fencepost.kernel.fence.Effect;
import io.smallrye.mutiny.Uni;
import java.time.Duration;

/**
 * Where people are told. None of the chat robots recognises a repeat, so a person must be able to.
 */
public interface Channel {

  /** The name in configuration, as tickets record it. */
  String name();

  ResendPolicy resend();

  /**
   * Sends once.
   *
   * @param effect its id is the same at every attempt
   * @param mayRepeat whether an earlier attempt may have arrived; the text then says so
   * @param timeout for waiting for the channel's rate budget and for the exchange, together
   * @return what came of it, also when there was no answer; fails only on a fault of our own
   */
  Uni<Delivery> send(Alarm alarm, Effect effect, boolean mayRepeat, Duration timeout);
}
