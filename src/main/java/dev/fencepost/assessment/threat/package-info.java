/** Is a flaw exploited, and how likely will it be? CISA KEV and FIRST EPSS. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.assessment.threat;
