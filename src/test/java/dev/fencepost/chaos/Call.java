package dev.fencepost.chaos;

/**
 * A call of the webhook as it arrived.
 *
 * @param key {@code <ticket_id>:<channel>}
 * @param token the sender's fencing token
 * @param atMillis when, by this machine's clock, which is Redis's too
 */
record Call(String key, long token, long atMillis) {

  String ticketId() {
    return key.substring(0, Math.max(0, key.lastIndexOf(':')));
  }
}
