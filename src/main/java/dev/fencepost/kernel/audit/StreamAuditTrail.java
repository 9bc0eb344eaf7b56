package dev.fencepost.kernel.audit;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.lifecycle.InFlight;
import dev.fencepost.platform.redis.RedisRoad;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;

/** Appends each event to the stream of its resource's lane. */
@ApplicationScoped
class StreamAuditTrail implements AuditTrail {

  private final RedisRoad redis;
  private final Lanes lanes;
  private final InFlight inFlight;
  private final AuditSettings settings;

  StreamAuditTrail(RedisRoad redis, Lanes lanes, InFlight inFlight, AuditSettings settings) {
    this.redis = redis;
    this.lanes = lanes;
    this.inFlight = inFlight;
    this.settings = settings;
  }

  @Override
  public void append(AuditEvent event) {
    inFlight.start("event " + event.action(), redis.send(appended(event)));
  }

  private Request appended(AuditEvent event) {
    var request =
        Request.cmd(Command.XADD)
            .arg("audit:{%d}:events".formatted(lanes.of(event.resourceId()).number()))
            .arg("MAXLEN")
            .arg("~")
            .arg(settings.backlog())
            .arg("*")
            .arg("action")
            .arg(event.action())
            .arg("outcome")
            .arg(event.outcome())
            .arg("resource_type")
            .arg(event.resourceType())
            .arg("resource_id")
            .arg(event.resourceId())
            .arg("origin")
            .arg(event.origin().json());
    event.details().forEach((name, value) -> request.arg(name).arg(value));
    return request;
  }
}
