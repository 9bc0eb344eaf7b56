package dev.fencepost.assessment;

import dev.fencepost.assessment.notification.DeliveryState;
import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A person's word on a notification that is in doubt.
 *
 * @param state NOTIFIED if it arrived, FAILED if it did not
 * @param reason how they know; 1 to 500 characters
 */
record Settlement(@Nullable DeliveryState state, @Nullable String reason) {

  /**
   * A settlement that can be carried out.
   *
   * @param inDoubt whether there is anything to settle; if not, it was perhaps settled before
   */
  record Valid(String channel, DeliveryState state, String reason, boolean inDoubt) {

    /** The same in other words. */
    Valid saying(UnaryOperator<String> words) {
      return new Valid(channel, state, words.apply(reason), inDoubt);
    }

    List<Notification> appliedTo(List<Notification> notifications) {
      return notifications.stream().map(this::appliedTo).toList();
    }

    private Notification appliedTo(Notification known) {
      return known.channel().equals(channel)
          ? new Notification(
              channel, state, known.sends(), known.idempotencyKey(), "settled: " + reason)
          : known;
    }
  }

  static Valid valid(@Nullable Settlement wanted, String channel, Ticket ticket) {
    if (wanted == null
        || (wanted.state != DeliveryState.NOTIFIED && wanted.state != DeliveryState.FAILED)) {
      throw Refused.field("state", "must be NOTIFIED or FAILED");
    }
    var reason = Reason.require(wanted.reason);
    var known =
        ticket.facts().notifications().stream()
            .filter(notification -> notification.channel().equals(channel))
            .findFirst()
            .orElseThrow(
                () ->
                    new Refused(
                        ProblemType.NOT_FOUND,
                        "ticket %s told no channel %s".formatted(ticket.ticketId(), channel)));
    return new Valid(channel, wanted.state, reason, known.state() == DeliveryState.UNCERTAIN);
  }
}
