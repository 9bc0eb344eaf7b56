package dev.fencepost.assessment.advisory;

/** A component that could not be judged: never silently "not affected". */
public record Unevaluated(String purl, String reason) {}
