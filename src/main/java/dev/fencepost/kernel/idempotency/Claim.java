package dev.fencepost.kernel.idempotency;

import dev.fencepost.kernel.fence.Lease;

/**
 * The right to do what a key stands for, and to store its answer.
 *
 * @param firstSeen when the key was first seen, in ms; the same for every holder
 * @param attempts how many holders there were, with this one
 */
record Claim(Intention intention, RecordKeys keys, Lease lease, long firstSeen, long attempts) {}
