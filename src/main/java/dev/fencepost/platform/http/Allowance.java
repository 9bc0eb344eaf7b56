package dev.fencepost.platform.http;

/**
 * What became of one request's claim on its caller's budget.
 *
 * @param remaining how many more requests would be granted now
 * @param resetSeconds when the whole burst is there again
 */
record Allowance(boolean granted, long remaining, long resetSeconds) {}
