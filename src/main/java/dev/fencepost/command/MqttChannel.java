package dev.fencepost.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.platform.mqtt.MqttAway;
import dev.fencepost.platform.mqtt.MqttLink;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Devices behind a broker. That the broker has a command proves nothing: it is sent again until the
 * device answers.
 */
@ApplicationScoped
class MqttChannel implements DeviceChannel {

  private final MqttLink link;
  private final MqttPresence presence;
  private final ObjectMapper json;
  private final MeterRegistry metrics;

  MqttChannel(MqttLink link, MqttPresence presence, ObjectMapper json, MeterRegistry metrics) {
    this.link = link;
    this.presence = presence;
    this.json = json;
    this.metrics = metrics;
  }

  static String topic(String deviceId) {
    return "fencepost/v1/devices/" + deviceId + "/commands";
  }

  @Override
  public boolean isConnected(String deviceId) {
    return link.isConnected() && presence.listens(deviceId);
  }

  /** Any device may listen at the broker, or have a session there that keeps what it is sent. */
  @Override
  public boolean mayReach(String deviceId) {
    return link.isConnected();
  }

  @Override
  public boolean isIdle() {
    return !link.isConnected();
  }

  @Override
  public Uni<Void> send(Command command) {
    return link.publish(topic(command.deviceId()), text(command))
        .invoke(() -> count("written"))
        .onFailure(MqttAway.class)
        .recoverWithItem(
            away -> {
              count("lost");
              return null;
            });
  }

  private void count(String outcome) {
    metrics.counter("fencepost.mqtt.commands", "outcome", outcome).increment();
  }

  private String text(Command command) {
    try {
      return json.writeValueAsString(command);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("command " + command.commandId() + " is no JSON", e);
    }
  }
}
