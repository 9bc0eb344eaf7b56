package dev.fencepost.kernel.audit.ledger;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.fencepost.kernel.audit.RecordedEvent;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** An event as clients see it. */
@Schema(name = "AuditEvent")
record EventAnswer(
    String eventId,
    long sequence,
    int lane,
    Instant timestamp,
    @Nullable String traceId,
    String serviceName,
    @Nullable String userId,
    String action,
    String resourceType,
    String resourceId,
    String outcome,
    @Nullable Long fencingToken,
    @Schema(type = SchemaType.OBJECT) @JsonRawValue String details,
    @Nullable String ipAddress,
    @Nullable String userAgent,
    String previousHash,
    String hash,
    int version) {

  static EventAnswer of(RecordedEvent event) {
    return new EventAnswer(
        event.eventId(),
        event.sequence(),
        event.lane(),
        event.timestamp(),
        event.traceId(),
        event.serviceName(),
        event.userId(),
        event.action(),
        event.resourceType(),
        event.resourceId(),
        event.outcome(),
        event.fencingToken(),
        event.details(),
        event.ipAddress(),
        event.userAgent(),
        event.previousHash(),
        event.hash(),
        event.version());
  }
}
