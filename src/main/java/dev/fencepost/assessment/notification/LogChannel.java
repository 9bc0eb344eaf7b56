package dev.fencepost.assessment.notification;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.telemetry.LogFacts;
import dev.fencepost.platform.telemetry.Trace;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/** Where high risk is told when no channel is configured: the log. The ticket says so. */
final class LogChannel implements Channel {

  static final String NAME = "log";

  private static final Logger LOG = Logger.getLogger(LogChannel.class);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ResendPolicy resend() {
    return ResendPolicy.ALWAYS;
  }

  @Override
  public Uni<Delivery> send(Alarm alarm, Effect effect, boolean mayRepeat, Duration timeout) {
    LogFacts.log(
        LOG,
        Level.WARN,
        () -> facts(alarm, effect),
        "no channel is configured; asset %s is at %s risk: %s (ticket %s, token %s)",
        alarm.assetId(),
        alarm.level(),
        String.join("; ", alarm.reasons()),
        alarm.ticketId(),
        effect.token());
    return Uni.createFrom().item(new Delivery.Delivered());
  }

  private static LogFacts facts(Alarm alarm, Effect effect) {
    var told =
        LogFacts.NONE
            .ticket(alarm.ticketId())
            .device(alarm.assetId())
            .token(effect.token().value());
    var placed =
        Lanes.writtenIn(alarm.ticketId()).map(lane -> told.lane(lane.number())).orElse(told);
    return Trace.parse(effect.traceparent()).map(placed::trace).orElse(placed);
  }
}
