package dev.fencepost.command;

import dev.fencepost.kernel.agenda.Agenda;
import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.JsonShape;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.Replies;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps commands while they are unfinished: who may send one now, and what became of it. */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class CommandStore {

  private static final LuaScript CLAIM = LuaScript.named("command/claim");
  private static final LuaScript REPORT = LuaScript.named("command/report");
  private static final LuaScript PARK = LuaScript.named("command/park");

  private final RedisRoad redis;
  private final Agenda agenda;
  private final Lanes lanes;
  private final Entropy entropy;
  private final CommandSettings settings;
  private final AuditSettings audit;
  private final MeterRegistry metrics;

  CommandStore(
      RedisRoad redis,
      Agenda agenda,
      Lanes lanes,
      Entropy entropy,
      CommandSettings settings,
      AuditSettings audit,
      MeterRegistry metrics) {
    this.redis = redis;
    this.agenda = agenda;
    this.lanes = lanes;
    this.entropy = entropy;
    this.settings = settings;
    this.audit = audit;
    this.metrics = metrics;
    EnumSet.complementOf(EnumSet.of(CommandStatus.PENDING))
        .forEach(status -> transitions(status.word()));
  }

  /** What is to be sent in one lane, the longest due first. */
  Uni<List<CommandKeys>> due(Lane lane, int batch) {
    return agenda.due(CommandKeys.agenda(lane), batch).map(entries -> keys(lane, entries));
  }

  /** What is to be given up in one lane. */
  Uni<List<CommandKeys>> expired(Lane lane, int batch) {
    return agenda.due(CommandKeys.expiry(lane), batch).map(entries -> keys(lane, entries));
  }

  /** A device's unfinished commands, oldest first. */
  Uni<List<CommandKeys>> outstanding(String deviceId, int batch) {
    var lane = lanes.of(deviceId);
    return agenda
        .due(CommandKeys.outstanding(lane, deviceId), batch)
        .map(entries -> keys(lane, entries));
  }

  private static List<CommandKeys> keys(Lane lane, List<String> entries) {
    return entries.stream().map(entry -> CommandKeys.ofEntry(lane, entry)).toList();
  }

  /**
   * Claims one sending, before anything is sent.
   *
   * @param arrived true if the device has just connected: then the command need not be due
   * @return the command as it now stands; empty if it is not to be sent (by us)
   */
  Uni<Optional<Command>> claim(CommandKeys keys, boolean arrived) {
    return redis
        .runConfirmed(
            CLAIM,
            List.of(keys.command(), keys.agenda(), keys.audit()),
            List.of(
                keys.entry(),
                JsonShape.text(entropy.now()),
                millis(settings.ackTimeout()),
                Integer.toString(settings.maxSends()),
                arrived ? "1" : "0",
                Integer.toString(audit.backlog())))
        .map(
            answer ->
                switch (Claimed.valueOf(answer.get(0).toString())) {
                  case SEND -> Optional.of(CommandHash.read(Replies.pairs(answer, 1)));
                  case NOT_DUE, OVER -> Optional.<Command>empty();
                })
        .invoke(claimed -> claimed.ifPresent(command -> count(CommandStatus.SENT.word())));
  }

  /** What {@code command/claim.lua} may answer. */
  private enum Claimed {
    SEND,
    NOT_DUE,
    OVER
  }

  /**
   * Records what became of a command.
   *
   * @param origin who says so; null for the clock, which speaks for whoever asked for the command
   */
  Uni<Reported> report(
      CommandKeys keys, Report report, @Nullable String detail, @Nullable Origin origin) {
    return redis
        .run(
            REPORT,
            keys.forReporting(),
            List.of(
                report.word(),
                detail == null ? "" : detail,
                JsonShape.text(entropy.now()),
                keys.commandId(),
                keys.entry(),
                keys.sessionId(),
                keys.session().member(),
                millis(settings.keepEnded()),
                origin == null ? "" : origin.json(),
                Integer.toString(audit.backlog()),
                millis(settings.appliedTimeout())))
        .map(answer -> Reported.valueOf(answer.toString()))
        .invoke(
            reported -> {
              if (reported == Reported.RECORDED) {
                count(report.word());
              }
            });
  }

  /** Puts off what is due and was fetched by no replica within a grace. */
  Uni<Void> park(Lane lane, List<CommandKeys> due, Duration grace) {
    if (due.isEmpty()) {
      return Uni.createFrom().voidItem();
    }
    return redis
        .run(
            PARK,
            List.of(CommandKeys.agenda(lane)),
            Stream.concat(
                    Stream.of(millis(grace), millis(settings.ackTimeout())),
                    due.stream().map(CommandKeys::entry))
                .toList())
        .replaceWithVoid();
  }

  private void count(String status) {
    transitions(status).increment();
  }

  private Counter transitions(String status) {
    return metrics.counter("fencepost.command.transitions", "status", status);
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
