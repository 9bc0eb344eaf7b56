package dev.fencepost.assessment;

import dev.fencepost.assessment.probe.DeviceHeartbeats;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Optional;

/** Reads a device's last heartbeat where the live sessions keep it. */
@ApplicationScoped
class HeartbeatStore implements DeviceHeartbeats {

  private final RedisRoad redis;
  private final Lanes lanes;

  HeartbeatStore(RedisRoad redis, Lanes lanes) {
    this.redis = redis;
    this.lanes = lanes;
  }

  @Override
  public Uni<Optional<Instant>> lastHeartbeat(String deviceId) {
    var session = lanes.of(deviceId).key("live", "session", deviceId);
    return redis
        .send(Request.cmd(Command.HGET).arg(session).arg("last_heartbeat_at"))
        .map(Optional::ofNullable)
        .map(found -> found.map(time -> Instant.parse(time.toString())));
  }
}
