package dev.fencepost.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.command.DeliverCommands;
import dev.fencepost.command.MqttPresence;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.mqtt.MqttListener;
import dev.fencepost.platform.mqtt.MqttPayload;
import dev.fencepost.platform.mqtt.TopicFilter;
import dev.fencepost.platform.telemetry.LogFacts;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Heartbeats that come through the broker. Nobody can answer 410 there: who goes on after the end
 * of its session is sent its command again.
 */
@ApplicationScoped
class MqttHeartbeats implements MqttListener {

  private static final TopicFilter HEARTBEAT = new TopicFilter("fencepost/v1/devices/+/heartbeat");

  private final LiveStore sessions;
  private final Lanes lanes;
  private final MqttPresence presence;
  private final DeliverCommands deliverCommands;
  private final ObjectMapper json;

  MqttHeartbeats(
      LiveStore sessions,
      Lanes lanes,
      MqttPresence presence,
      DeliverCommands deliverCommands,
      ObjectMapper json) {
    this.sessions = sessions;
    this.lanes = lanes;
    this.presence = presence;
    this.deliverCommands = deliverCommands;
    this.json = json;
  }

  /** The payload of {@code heartbeat}. */
  record Beat(@Nullable String sessionId) {}

  @Override
  public List<TopicFilter> topics() {
    return List.of(HEARTBEAT);
  }

  @Override
  public Uni<Void> hear(TopicFilter by, List<String> names, String payload) {
    var deviceId = Identifier.require("device_id", names.get(0));
    var beat = MqttPayload.read(json, payload, Beat.class);
    if (beat.sessionId == null) {
      throw Refused.field("session_id", "must be given");
    }
    return sessions
        .heartbeat(sessions.keys(deviceId, Identifier.require("session_id", beat.sessionId)))
        .invoke(live -> note(deviceId, live))
        .replaceWithVoid();
  }

  @Override
  public LogFacts facts(List<String> names) {
    return lanes.facts(names.get(0));
  }

  private void note(String deviceId, boolean live) {
    if (presence.heard(deviceId, live)) {
      deliverCommands.arrived(deviceId, null);
    }
  }
}
