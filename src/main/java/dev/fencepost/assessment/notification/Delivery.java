package dev.fencepost.assessment.notification;

import java.time.Duration;

/** What came of one attempt to tell a channel. Reasons never hold a URL or a secret. */
public sealed interface Delivery {

  /** The channel's own answer says it took the message. */
  record Delivered() implements Delivery {}

  /**
   * It did not arrive and never will: the secret is wrong, the address revoked, the text refused.
   */
  record Permanent(String reason) implements Delivery {}

  /**
   * It did not arrive; later it may.
   *
   * @param notBefore how long the channel asked us to wait; zero leaves it to the caller's backoff
   */
  record RetryLater(String reason, Duration notBefore) implements Delivery {}

  /** It may or may not have arrived: the request was out when the connection failed. */
  record InDoubt(String reason) implements Delivery {}
}
