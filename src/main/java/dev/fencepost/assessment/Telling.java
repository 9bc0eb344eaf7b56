package dev.fencepost.assessment;

import static dev.fencepost.assessment.notification.DeliveryState.FAILED;
import static dev.fencepost.assessment.notification.DeliveryState.NOTIFIED;
import static dev.fencepost.assessment.notification.DeliveryState.NOTIFYING;
import static dev.fencepost.assessment.notification.DeliveryState.PENDING;
import static dev.fencepost.assessment.notification.DeliveryState.UNCERTAIN;

import dev.fencepost.assessment.notification.Delivery;
import dev.fencepost.assessment.notification.DeliveryState;
import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.assessment.notification.ResendPolicy;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One channel on its way from "to be told" to "told".
 *
 * @param mayRepeat whether an earlier request may have arrived
 * @param notBefore how long the channel asked us to wait; zero if it did not
 */
record Telling(
    Notification notification, ResendPolicy policy, boolean mayRepeat, Duration notBefore) {

  static Telling first(Notification intended, ResendPolicy policy) {
    return new Telling(intended, policy, false, Duration.ZERO);
  }

  /**
   * What to do with a channel that another holder left behind. PENDING is certain not to have
   * arrived; NOTIFYING is in doubt; the others are settled.
   */
  static Telling again(Notification known, ResendPolicy policy) {
    return switch (known.state()) {
      case PENDING -> new Telling(resent(known), policy, false, Duration.ZERO);
      case NOTIFYING ->
          policy == ResendPolicy.ALWAYS
              ? new Telling(resent(known), policy, true, Duration.ZERO)
              : new Telling(
                  moved(known, UNCERTAIN, "a holder died while it was being sent"),
                  policy,
                  true,
                  Duration.ZERO);
      case NOTIFIED, UNCERTAIN, FAILED -> new Telling(known, policy, false, Duration.ZERO);
    };
  }

  Telling after(Delivery delivery) {
    if (delivery instanceof Delivery.Delivered) {
      return to(NOTIFIED, null, Duration.ZERO);
    }
    if (delivery instanceof Delivery.Permanent permanent) {
      return to(FAILED, permanent.reason(), Duration.ZERO);
    }
    if (delivery instanceof Delivery.RetryLater later) {
      // An earlier request that may have arrived stays in doubt, whatever came of this one.
      return to(mayRepeat ? NOTIFYING : PENDING, later.reason(), later.notBefore());
    }
    var doubt = (Delivery.InDoubt) delivery;
    return to(policy == ResendPolicy.ALWAYS ? NOTIFYING : UNCERTAIN, doubt.reason(), Duration.ZERO);
  }

  /** The same with its error in other words: what a channel answered may quote what it was sent. */
  Telling saying(UnaryOperator<String> words) {
    var error = notification.lastError();
    return error == null
        ? this
        : new Telling(
            moved(notification, notification.state(), words.apply(error)),
            policy,
            mayRepeat,
            notBefore);
  }

  boolean isOpen() {
    return notification.state() == PENDING || notification.state() == NOTIFYING;
  }

  String describe() {
    return notification.channel() + ": " + notification.lastError();
  }

  private Telling to(DeliveryState state, @Nullable String error, Duration wait) {
    return new Telling(moved(notification, state, error), policy, mayRepeat, wait);
  }

  private static Notification moved(
      Notification known, DeliveryState state, @Nullable String error) {
    return new Notification(known.channel(), state, known.sends(), known.idempotencyKey(), error);
  }

  private static Notification resent(Notification known) {
    return new Notification(
        known.channel(), NOTIFYING, known.sends() + 1, known.idempotencyKey(), known.lastError());
  }
}
