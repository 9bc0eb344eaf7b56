/** One effect and one answer per idempotency key. Specification: docs/idempotency.md. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.idempotency;
