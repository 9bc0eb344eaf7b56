package dev.fencepost.kernel.idempotency;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a key.
 *
 * @param state {@code in_progress}, or {@code completed} once its answer is stored
 * @param responseStatus of the stored answer
 * @param location of the stored answer
 */
record KeyStatus(
    String key,
    String state,
    Instant firstSeenAt,
    Instant expiresAt,
    @Nullable Integer responseStatus,
    @Nullable String location) {}
