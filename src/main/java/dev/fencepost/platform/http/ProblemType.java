package dev.fencepost.platform.http;

import java.net.URI;

/** Every refusal a client can meet. The slug is API: never rename one, never reuse one. */
public enum ProblemType {
  BAD_REQUEST(400, "bad-request", "The request is malformed"),
  VALIDATION_FAILED(400, "validation-failed", "The request has invalid fields"),
  IDEMPOTENCY_KEY_REQUIRED(400, "idempotency-key-required", "This needs an Idempotency-Key"),
  UNAUTHENTICATED(401, "unauthenticated", "Who asks is not proven"),
  FORBIDDEN(403, "forbidden", "The caller may not do this"),
  NOT_FOUND(404, "not-found", "No such resource"),
  ASSET_NOT_FOUND(404, "asset-not-found", "No such asset"),
  INVENTORY_NOT_FOUND(404, "inventory-not-found", "The asset has no inventory"),
  TICKET_NOT_FOUND(404, "ticket-not-found", "No such ticket"),
  IDEMPOTENCY_KEY_NOT_FOUND(404, "idempotency-key-not-found", "No request came with this key"),
  LIVE_SESSION_NOT_FOUND(404, "live-session-not-found", "The device has no live session"),
  COMMAND_NOT_FOUND(404, "command-not-found", "No such command"),
  USER_NOT_FOUND(404, "user-not-found", "No such user"),
  METHOD_NOT_ALLOWED(405, "method-not-allowed", "The resource does not have this method"),
  NOT_ACCEPTABLE(406, "not-acceptable", "No representation fits the Accept header"),
  REQUEST_TIMEOUT(408, "request-timeout", "The request was not sent in time"),
  CONFLICT(409, "conflict", "The resource is not in a state that allows this"),
  IDEMPOTENCY_KEY_IN_PROGRESS(
      409, "idempotency-key-in-progress", "The first request with this key is still running"),
  SESSION_ENDED(409, "session-ended", "A session id has one life, and this one had it"),
  SESSION_NOT_LIVE(410, "session-not-live", "The session is not live any more"),
  PAYLOAD_TOO_LARGE(413, "payload-too-large", "The body is too large"),
  UNSUPPORTED_MEDIA_TYPE(415, "unsupported-media-type", "The content type is not understood"),
  IDEMPOTENCY_KEY_REUSED(422, "idempotency-key-reused", "The key belongs to another request"),
  TOO_MANY_REQUESTS(429, "too-many-requests", "The caller asks faster than it may"),
  INTERNAL_ERROR(500, "internal-error", "Something is broken on our side"),
  UNAVAILABLE(503, "unavailable", "A store that this needs is not available"),
  STOPPING(503, "stopping", "This replica takes no more work"),
  OVERLOADED(503, "overloaded", "Too much is in progress here");

  private final int status;
  private final String slug;
  private final String title;

  ProblemType(int status, String slug, String title) {
    this.status = status;
    this.slug = slug;
    this.title = title;
  }

  public int status() {
    return status;
  }

  /** Whether the same request may succeed later: such answers carry {@code Retry-After}. */
  public boolean mayPass() {
    return status == 429 || status == 503 || this == IDEMPOTENCY_KEY_IN_PROGRESS;
  }

  public String title() {
    return title;
  }

  public URI uri() {
    return URI.create("urn:fencepost:problem:" + slug);
  }
}
