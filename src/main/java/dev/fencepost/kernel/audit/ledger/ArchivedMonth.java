package dev.fencepost.kernel.audit.ledger;

import java.time.LocalDate;

/**
 * A month that lies in a file, whole.
 *
 * @param partition the table that it was read from
 * @param sha256 of the file, in hex
 * @param seal where every lane begins and ends in it, signed
 */
record ArchivedMonth(
    LocalDate month, String partition, String name, long events, String sha256, Checkpoint seal) {}
