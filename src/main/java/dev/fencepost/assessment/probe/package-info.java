/** Is the asset online? Asked of the asset itself, with evidence. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.assessment.probe;
