package dev.fencepost.kernel.fence;

import dev.fencepost.platform.telemetry.LogFacts;

/**
 * The lock of one holder on one asset, with a time limit. It says who may work; it is no right to
 * write: that is the token, which every write shows.
 *
 * @param key the lock's key in Redis
 * @param agendaKey the lane's agenda, whose entry moves along with the lease
 * @param subject what is worked on: the agenda's member, e.g. a ticket id
 * @param holder {@code <pod>/<ulid>}: one execution in one process
 */
public record Lease(
    Lane lane, String key, String agendaKey, String subject, String holder, FencingToken token) {

  /** What log lines about what is done under it carry. */
  public LogFacts facts() {
    return lane.facts().token(token.value());
  }
}
