/** Which known flaws affect which components, by the OSV rule. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.assessment.advisory;
