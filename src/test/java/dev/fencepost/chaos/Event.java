package dev.fencepost.chaos;

import java.util.Map;

/**
 * One entry of a lane's event stream; the order of the stream is the order of the facts.
 *
 * @param atMillis when, by Redis's clock
 */
record Event(long atMillis, Map<String, String> fields) {

  String action() {
    return text("action");
  }

  /** Of a write to a ticket; late answers to requests are another matter. */
  boolean isRefusal() {
    return action().equals("STALE_WRITE_REFUSED")
        && !text("resource_type").equals("idempotency_key");
  }

  String ticketId() {
    return text("resource_id");
  }

  long token() {
    return Long.parseLong(text("fencing_token"));
  }

  long newestToken() {
    return Long.parseLong(text("newest_token"));
  }

  String outcome() {
    return text("outcome");
  }

  String holder() {
    return text("holder");
  }

  String from() {
    return text("from");
  }

  String to() {
    return text("to");
  }

  private String text(String field) {
    return fields.getOrDefault(field, "");
  }
}
