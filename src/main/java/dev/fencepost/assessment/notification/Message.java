package dev.fencepost.assessment.notification;

import java.net.URI;
import java.util.Map;

/** A request on its way to a receiver. No record: its parts are credentials, and records print. */
final class Message {

  private final URI target;
  private final Map<String, String> headers;
  private final byte[] body;

  Message(URI target, Map<String, String> headers, byte[] body) {
    this.target = target;
    this.headers = Map.copyOf(headers);
    this.body = body;
  }

  URI target() {
    return target;
  }

  Map<String, String> headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }
}
