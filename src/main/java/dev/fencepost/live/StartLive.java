package dev.fencepost.live;

import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Starts a session on a device. One that is live there is stopped first, with a stop command of its
 * own; until that is done, nothing new is live.
 */
@ApplicationScoped
class StartLive {

  /** Each try sees what another start or stop has done meanwhile; nobody is that unlucky. */
  private static final int MOST_TRIES = 20;

  private final LiveStore sessions;
  private final LiveViewStore views;
  private final StopLive stopLive;

  StartLive(LiveStore sessions, LiveViewStore views, StopLive stopLive) {
    this.sessions = sessions;
    this.views = views;
    this.stopLive = stopLive;
  }

  /**
   * What came of a start.
   *
   * @param isNew false if the session was live before
   */
  record Started(LiveSession session, boolean isNew) {}

  /**
   * Starts a session, or finds it live.
   *
   * @param sessionId its id, chosen before anyone hears of it: a start that is repeated with it
   *     starts nothing twice
   * @return the session; fails with {@link Refused} if that id had its life
   */
  Uni<Started> start(String deviceId, String sessionId, Origin origin) {
    return attempt(sessions.keys(deviceId, sessionId), origin, MOST_TRIES);
  }

  private Uni<Started> attempt(SessionKeys session, Origin origin, int triesLeft) {
    return views
        .newestId(session.deviceId())
        .map(newest -> newest.orElse(""))
        .flatMap(
            newest ->
                sessions
                    .start(session, newest, origin)
                    .flatMap(answer -> settle(answer, session, newest, origin, triesLeft)));
  }

  private Uni<Started> settle(
      LiveStore.Start answer, SessionKeys session, String newest, Origin origin, int triesLeft) {
    return switch (answer) {
      case STARTED -> shown(session, true);
      case LIVE -> shown(session, false);
      case ENDED ->
          throw new Refused(
              ProblemType.SESSION_ENDED,
              "session %s of %s was stopped; a session id is used once"
                  .formatted(session.sessionId(), session.deviceId()));
      case OCCUPIED ->
          stopLive
              .stop(
                  sessions.keys(session.deviceId(), newest),
                  Stop.superseded(session.sessionId(), origin))
              .flatMap(stopped -> again(session, origin, triesLeft));
      case CHANGED -> again(session, origin, triesLeft);
    };
  }

  private Uni<Started> again(SessionKeys session, Origin origin, int triesLeft) {
    if (triesLeft == 0) {
      throw new Refused(
          ProblemType.CONFLICT, "other sessions keep being started on " + session.deviceId());
    }
    return attempt(session, origin, triesLeft - 1);
  }

  private Uni<Started> shown(SessionKeys session, boolean isNew) {
    return views
        .find(session)
        .map(
            found ->
                found.orElseThrow(
                    () -> new IllegalStateException("session " + session.sessionId() + " is gone")))
        .map(found -> new Started(found, isNew));
  }
}
