package dev.fencepost.chaos;

/**
 * Something that must never be.
 *
 * @param invariant as the design names it: S1 … S5, S8 (history and facts agree), L1
 */
record Violation(String invariant, String what) {}
