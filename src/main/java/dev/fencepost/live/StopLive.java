package dev.fencepost.live;

import dev.fencepost.command.CommandKeys;
import dev.fencepost.command.DeliverCommands;
import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.audit.Mask;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Stops a session once, whoever asks and however often, and delivers its command at once. */
@ApplicationScoped
class StopLive {

  /** How often a stop that names no session may find that the newest one was replaced meanwhile. */
  private static final int MOST_TRIES = 20;

  private final LiveStore sessions;
  private final LiveViewStore views;
  private final DeliverCommands deliverCommands;
  private final Mask mask;

  StopLive(LiveStore sessions, LiveViewStore views, DeliverCommands deliverCommands, Mask mask) {
    this.sessions = sessions;
    this.views = views;
    this.deliverCommands = deliverCommands;
    this.mask = mask;
  }

  /**
   * Stops what is named, or whatever is the device's newest session.
   *
   * @param sessionId empty for the newest
   */
  Uni<Stopped> stop(String deviceId, Optional<String> sessionId, Stop stop) {
    return sessionId
        .map(named -> stop(sessions.keys(deviceId, named), stop))
        .orElseGet(() -> newest(deviceId, stop, MOST_TRIES));
  }

  private Uni<Stopped> newest(String deviceId, Stop stop, int triesLeft) {
    return views
        .newestId(deviceId)
        .flatMap(newest -> stop(sessions.keys(deviceId, newest.orElse("")), stop))
        .flatMap(
            stopped ->
                stopped.answer() == Stopped.Answer.SUPERSEDED && triesLeft > 0
                    ? newest(deviceId, stop, triesLeft - 1)
                    : Uni.createFrom().item(stopped));
  }

  /** Stops one session. Whatever secret stands in the reason goes no further. */
  Uni<Stopped> stop(SessionKeys session, Stop stop) {
    return sessions
        .stop(session, stop.saying(mask::text))
        .invoke(
            stopped -> {
              if (stopped.answer() == Stopped.Answer.ACCEPTED) {
                deliverCommands.atOnce(CommandKeys.of(session));
              }
            });
  }
}
