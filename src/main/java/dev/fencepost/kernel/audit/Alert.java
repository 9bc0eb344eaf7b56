package dev.fencepost.kernel.audit;

import java.time.Instant;

/**
 * Too many events of a kind within a window: one telling per episode.
 *
 * @param rule its name in configuration
 * @param subject whose events they are: a user, an address or a resource
 * @param events how many there were within the window
 * @param since when the episode began
 */
public record Alert(String rule, String subject, long events, Instant since) {}
