package dev.fencepost.kernel.fence;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * The identity of something done to the outside world for a ticket. The id is chosen before anyone
 * hears of it and stays the same over attempts and holders; the token is that of the holder who
 * sends it now.
 *
 * @param id {@code <ticket_id>:<step or channel>}
 * @param token the sender's fencing token
 * @param traceparent a W3C trace context, version 00
 */
public record Effect(String id, FencingToken token, String traceparent) {

  public Effect {
    requireNonNull(id, "id");
    requireNonNull(token, "token");
    requireNonNull(traceparent, "traceparent");
  }

  /** The headers by which a receiver recognises a repeat and an outdated sender. */
  public Map<String, String> headers() {
    return Map.of(
        "Idempotency-Key", id, "X-Fencing-Token", token.toString(), "traceparent", traceparent);
  }
}
