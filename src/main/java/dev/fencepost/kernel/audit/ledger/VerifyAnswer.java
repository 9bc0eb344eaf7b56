package dev.fencepost.kernel.audit.ledger;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Whether history is what it was.
 *
 * @param events how many were found to be so, before the first that is not
 * @param headHash of the last good event; over several lanes, SHA-256 over those of all in order
 * @param gaps recorded losses: events that were gone before the ledger could take them
 * @param lane of the first bad event
 * @param kind of the damage, in capitals
 * @param problem one sentence
 */
@Schema(name = "AuditVerification")
record VerifyAnswer(
    boolean verified,
    long events,
    String headHash,
    Instant checkedAt,
    long gaps,
    @Nullable Integer lane,
    @Nullable Long firstBadSequence,
    Damage.@Nullable Kind kind,
    @Nullable String problem) {}
