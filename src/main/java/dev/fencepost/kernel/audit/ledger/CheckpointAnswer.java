package dev.fencepost.kernel.audit.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Signed heads as clients see them.
 *
 * @param payload the text that was signed
 */
@Schema(name = "AuditCheckpoint")
record CheckpointAnswer(
    long number,
    Instant madeAt,
    List<LaneHead> heads,
    String payload,
    String kid,
    String algorithm,
    String signature,
    String publicKey) {

  /** Where a lane ended. */
  @Schema(name = "AuditLaneHead")
  record LaneHead(int lane, long sequence, String hash) {}

  /** One page, newest first. */
  @Schema(name = "AuditCheckpointPage")
  record Page(List<CheckpointAnswer> items, @Nullable String nextPageToken) {}

  static CheckpointAnswer of(Checkpoint checkpoint) {
    return new CheckpointAnswer(
        checkpoint.number(),
        checkpoint.madeAt(),
        checkpoint.heads().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(
                head ->
                    new LaneHead(head.getKey(), head.getValue().sequence(), head.getValue().hash()))
            .toList(),
        checkpoint.payload(),
        checkpoint.kid(),
        checkpoint.algorithm(),
        checkpoint.signature(),
        checkpoint.publicKey());
  }
}
