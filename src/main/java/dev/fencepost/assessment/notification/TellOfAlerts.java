package dev.fencepost.assessment.notification;

import dev.fencepost.kernel.audit.Alert;
import dev.fencepost.kernel.audit.AlertListener;
import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.kernel.fence.FencingToken;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

/** Tells of alerts over the channels that are told of assets; the log has them anyway. */
@ApplicationScoped
class TellOfAlerts implements AlertListener {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Channels channels;
  private final Entropy entropy;

  TellOfAlerts(Channels channels, Entropy entropy) {
    this.channels = channels;
    this.entropy = entropy;
  }

  @Override
  public Uni<Void> tell(Alert alert) {
    var alarm = alarm(alert);
    var trace = Trace.fresh(entropy.freshBytes(Trace.SEED_BYTES));
    var sends =
        channels.all().stream()
            .filter(channel -> !(channel instanceof LogChannel))
            .map(
                channel ->
                    channel.send(alarm, effect(alarm, channel.name(), alert, trace), false, LIMIT))
            .toList();
    return sends.isEmpty()
        ? Uni.createFrom().voidItem()
        : Uni.join().all(sends).andFailFast().invoke(TellOfAlerts::requireOne).replaceWithVoid();
  }

  /** The same over attempts, and another one for the next episode. */
  private static Effect effect(Alarm alarm, String channel, Alert alert, Trace trace) {
    return new Effect(
        alarm.ticketId() + ":" + channel,
        new FencingToken(alert.since().toEpochMilli()),
        trace.traceparent());
  }

  private static Alarm alarm(Alert alert) {
    var number = "alert-%s-%s".formatted(alert.rule(), alert.since().toEpochMilli());
    return new Alarm(
        number,
        alert.subject(),
        alert.rule(),
        Alarm.Level.ALERT,
        List.of("%d events since %s".formatted(alert.events(), alert.since())),
        List.of(),
        alert.since());
  }

  private static void requireOne(List<Delivery> deliveries) {
    if (deliveries.stream().noneMatch(Delivery.Delivered.class::isInstance)) {
      throw new IllegalStateException("no channel took it: " + deliveries);
    }
  }
}
