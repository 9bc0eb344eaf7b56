package dev.fencepost.kernel.identity.grant;

/**
 * A login that can be refreshed.
 *
 * @param current hash of the token that is good now
 */
record Family(String userId, String client, long tokenVersion, String current, boolean revoked) {}
