package dev.fencepost.assessment.notification;

import dev.fencepost.kernel.fence.Effect;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import org.jboss.logging.Logger;

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
    LOG.warnf(
        "no channel is configured; asset %s is at %s risk: %s (ticket %s, token %s)",
        alarm.assetId(),
        alarm.level(),
        String.join("; ", alarm.reasons()),
        alarm.ticketId(),
        effect.token());
    return Uni.createFrom().item(new Delivery.Delivered());
  }
}
