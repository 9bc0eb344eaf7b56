package dev.fencepost.assessment.advisory;

/**
 * A record as a batch answer names it.
 *
 * @param modified as the API wrote it; another text is another edition of the record
 */
record OsvReference(String id, String modified) {}
