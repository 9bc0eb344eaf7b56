package dev.fencepost.live;

import dev.fencepost.command.CommandKeys;
import dev.fencepost.command.CommandSettings;
import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.JsonShape;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Keeps sessions while they live and come to their one stop. */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class LiveStore {

  private static final LuaScript START = LuaScript.named("live/start");
  private static final LuaScript HEARTBEAT = LuaScript.named("live/heartbeat");
  private static final LuaScript STOP = LuaScript.named("live/stop");
  private static final LuaScript OVERDUE = LuaScript.named("live/overdue");

  private final RedisRoad redis;
  private final Lanes lanes;
  private final Entropy entropy;
  private final LiveSettings settings;
  private final CommandSettings commands;
  private final AuditSettings audit;
  private final MeterRegistry metrics;

  LiveStore(
      RedisRoad redis,
      Lanes lanes,
      Entropy entropy,
      LiveSettings settings,
      CommandSettings commands,
      AuditSettings audit,
      MeterRegistry metrics) {
    this.redis = redis;
    this.lanes = lanes;
    this.entropy = entropy;
    this.settings = settings;
    this.commands = commands;
    this.audit = audit;
    this.metrics = metrics;
    for (var by : StoppedBy.values()) {
      counter("fencepost.live.stops", "by", by.word());
    }
  }

  SessionKeys keys(String deviceId, String sessionId) {
    return new SessionKeys(lanes.of(deviceId), deviceId, sessionId);
  }

  /**
   * Starts a session.
   *
   * @param newest the session that the caller has seen to be the device's newest; empty for none
   */
  Uni<Start> start(SessionKeys session, String newest, Origin origin) {
    var previous = new SessionKeys(session.lane(), session.deviceId(), newest);
    return redis
        .run(
            START,
            List.of(
                session.newest(),
                previous.past(),
                session.past(),
                CommandKeys.of(session).command(),
                SessionKeys.active(session.lane()),
                session.live(),
                CommandKeys.of(session).audit()),
            List.of(
                session.deviceId(),
                session.sessionId(),
                newest,
                session.member(),
                JsonShape.text(entropy.now()),
                origin.json(),
                backlog()))
        .map(answer -> Start.valueOf(answer.toString()))
        .invoke(answer -> count("fencepost.live.starts", "answer", answer.name()));
  }

  /** What {@code live/start.lua} may answer. */
  enum Start {
    STARTED,
    LIVE,
    ENDED,
    OCCUPIED,
    CHANGED
  }

  /** Notes that a device was heard; false if its session is not live any more. */
  Uni<Boolean> heartbeat(SessionKeys session) {
    return redis
        .run(
            HEARTBEAT,
            List.of(session.newest(), SessionKeys.active(session.lane())),
            List.of(session.deviceId(), session.sessionId(), JsonShape.text(entropy.now())))
        .map(answer -> Heard.valueOf(answer.toString()) == Heard.HEARD);
  }

  /** What {@code live/heartbeat.lua} may answer. */
  private enum Heard {
    HEARD,
    NOT_LIVE
  }

  /** Asks for the stop of one session; makes its one command, or says why not. */
  Uni<Stopped> stop(SessionKeys session, Stop stop) {
    var command = CommandKeys.of(session);
    return redis
        .run(STOP, stopKeys(session, command), stopArgs(session, command, stop))
        .map(answer -> stopped(session, answer))
        .invoke(
            stopped -> {
              if (stopped.answer() == Stopped.Answer.ACCEPTED) {
                count("fencepost.live.stops", "by", stop.by().word());
              }
            });
  }

  private static List<String> stopKeys(SessionKeys session, CommandKeys command) {
    return List.of(
        session.newest(),
        session.stopLock(),
        session.past(),
        SessionKeys.active(session.lane()),
        session.live(),
        session.stopping(),
        command.command(),
        command.agenda(),
        command.expiry(),
        command.outstanding(),
        command.ofDevice(),
        command.audit());
  }

  private List<String> stopArgs(SessionKeys session, CommandKeys command, Stop stop) {
    return List.of(
        session.deviceId(),
        session.sessionId(),
        stop.by().word(),
        stop.afterSilence().map(LiveStore::millis).orElse(""),
        stop.reason() == null ? "" : stop.reason(),
        JsonShape.text(entropy.now()),
        command.commandId(),
        command.entry(),
        session.member(),
        millis(settings.stopLockTtl()),
        millis(commands.expiresAfter()),
        millis(commands.keepEnded()),
        Origin.ofService(stop.origin().trace()).json(),
        stop.origin().json(),
        backlog(),
        stop.request());
  }

  private static Stopped stopped(SessionKeys session, Response answer) {
    var status = text(answer, 1);
    return new Stopped(
        Stopped.Answer.valueOf(answer.get(0).toString()),
        session.sessionId(),
        status.map(LiveStatus::of).orElse(null),
        text(answer, 2).orElse(null));
  }

  private static Optional<String> text(Response answer, int at) {
    return answer.size() <= at
        ? Optional.empty()
        : Optional.of(answer.get(at).toString()).filter(text -> !text.isEmpty());
  }

  /**
   * A lane's silence.
   *
   * @param live how many sessions of the lane are live
   * @param silent devices that were not heard in time, the longest silent first
   */
  record Silence(int live, List<String> silent) {}

  /** Which devices of a lane are silent: one read, of what is due only. */
  Uni<Silence> silence(Lane lane, int batch) {
    return redis
        .run(
            OVERDUE,
            List.of(SessionKeys.active(lane)),
            List.of(millis(settings.heartbeatTimeout()), Integer.toString(batch)))
        .map(
            answer ->
                new Silence(
                    Integer.parseInt(answer.get(0).toString()),
                    answer.stream().skip(1).map(Response::toString).toList()));
  }

  private void count(String counter, String tag, String value) {
    counter(counter, tag, value).increment();
  }

  private Counter counter(String counter, String tag, String value) {
    return metrics.counter(counter, tag, value.toLowerCase(Locale.ROOT));
  }

  private String backlog() {
    return Integer.toString(audit.backlog());
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
