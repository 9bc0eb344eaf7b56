/** The durable history: one chain of hashes per lane in PostgreSQL. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.audit.ledger;
