/** The decision table that turns findings into a verdict. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.assessment.risk;
