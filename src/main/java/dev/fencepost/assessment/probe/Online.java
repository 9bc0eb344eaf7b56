package dev.fencepost.assessment.probe;

import java.time.Instant;

/**
 * Whether an asset was there, and how we know.
 *
 * @param method {@code tcp}, {@code http} or {@code heartbeat}
 * @param evidence for a person, e.g. {@code tcp 443 connected in 3 ms}
 */
public record Online(boolean reachable, String method, String evidence, Instant checkedAt) {}
