package dev.fencepost.kernel.audit;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An event as the ledger keeps it for ever, and as clients and archives get it.
 *
 * @param eventId {@code e<lane>-<id in the stream>}
 * @param sequence counts the events of a lane from 1, without a gap
 * @param timestamp when it was written, by Redis time; never falls within a lane
 * @param userId null for what the service did by itself
 * @param fencingToken the right under which it was written, where there is one
 * @param details canonical JSON, byte for byte what was hashed
 * @param previousHash the hash of the event before it, in hex; zeros for the first
 * @param hash SHA-256 over {@code previousHash} and the canonical JSON of everything else, in hex
 * @param version of the canonical form
 */
@Schema(name = "AuditEvent")
public record RecordedEvent(
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

  /** The same event at another place of its chain. */
  public RecordedEvent at(long otherSequence, String otherPrevious, String otherHash) {
    return at(timestamp, otherSequence, otherPrevious, otherHash);
  }

  /** The same event at another place of its chain, and of time. */
  public RecordedEvent at(
      Instant otherTimestamp, long otherSequence, String otherPrevious, String otherHash) {
    return new RecordedEvent(
        eventId,
        otherSequence,
        lane,
        otherTimestamp,
        traceId,
        serviceName,
        userId,
        action,
        resourceType,
        resourceId,
        outcome,
        fencingToken,
        details,
        ipAddress,
        userAgent,
        otherPrevious,
        otherHash,
        version);
  }
}
