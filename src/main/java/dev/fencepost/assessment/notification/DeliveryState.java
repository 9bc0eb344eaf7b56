package dev.fencepost.assessment.notification;

/** How far the notification of one channel has come, as a ticket records it. */
public enum DeliveryState {
  /** Nothing was sent yet, or it is certain that nothing arrived and it will be sent again. */
  PENDING,
  /** Recorded before the request leaves: from here on it may have arrived. */
  NOTIFYING,
  /** The channel's own answer says it took the message. */
  NOTIFIED,
  /** It may or may not have arrived, and the channel is not to be asked again. */
  UNCERTAIN,
  /** The channel will never take it, or attempts are used up. */
  FAILED
}
