package dev.fencepost.platform.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.net.URI;
import java.util.List;

/**
 * An RFC 9457 body.
 *
 * @param type {@code urn:fencepost:problem:<slug>}
 * @param instance the path of the request that met the problem
 * @param traceId finds the request in logs and events
 * @param errors one entry per invalid field; left out when there is none
 */
public record Problem(
    URI type,
    String title,
    int status,
    String detail,
    String instance,
    String traceId,
    @JsonInclude(Include.NON_EMPTY) List<Refused.FieldError> errors) {

  /** The media type of problem details. */
  public static final String MEDIA_TYPE = "application/problem+json";
}
