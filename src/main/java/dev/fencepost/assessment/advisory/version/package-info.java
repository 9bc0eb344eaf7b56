/** One version order per ecosystem. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.assessment.advisory.version;
