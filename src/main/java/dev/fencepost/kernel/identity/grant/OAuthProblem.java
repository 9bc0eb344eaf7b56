package dev.fencepost.kernel.identity.grant;

/** An error body of RFC 6749, section 5.2. */
record OAuthProblem(String error, String errorDescription) {}
