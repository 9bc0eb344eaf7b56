package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A real broker between two real processes and the reference device. */
class MosquittoIT {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** For how long nobody follows a replica that died with the connection. */
  private static final Duration TURN = Duration.ofSeconds(3);

  /** When the replica that has the connection dies, by what its device has said last. */
  private enum Moment {
    COMMAND_ON_ITS_WAY("listens at the broker"),
    COMMAND_RECEIVED("reported acked"),
    COMMAND_CARRIED_OUT("carried out c");

    final String word;

    Moment(String word) {
      this.word = word;
    }
  }

  @Test
  void a_broker_that_is_killed_mid_command_and_restarted_costs_no_second_application() {
    try (var broker = Mosquitto.open();
        var arena = Arena.with(settings(broker), "mosquitto", "a", "b");
        var device = new ReferenceDevice("mosq-1", arena.replicas().get(0), broker)) {
      device.stopThrough(arena.replicas().get(1));
      device.awaitWord("reported acked");

      broker.kill();
      device.awaitWord("lost its broker");
      device.awaitWord("carried out c");
      broker.start();

      device.awaitOneApplication(arena.replicas().get(0));
    }
  }

  @Test
  void a_replica_that_dies_with_the_connection_mid_command_costs_no_second_application() {
    try (var broker = Mosquitto.open();
        var arena = Arena.with(settings(broker), "mosquitto-kill", "a", "b")) {
      for (var moment : Moment.values()) {
        var holder = holder(arena);
        var other = otherThan(holder, arena);
        try (var device = new ReferenceDevice("kill-" + moment.ordinal(), other, broker)) {
          device.stopThrough(other);
          device.awaitWord(moment.word);

          holder.killAndReplace();

          device.awaitOneApplication(other);
        }
        holder.awaitReady();
      }
    }
  }

  @Test
  void a_replica_that_stands_still_with_the_connection_and_wakes_up_changes_nothing() {
    try (var broker = Mosquitto.open();
        var arena = Arena.with(settings(broker), "mosquitto-stop", "a", "b")) {
      var holder = holder(arena);
      var other = otherThan(holder, arena);
      try (var device = new ReferenceDevice("still-1", other, broker)) {
        device.stopThrough(other);
        device.awaitWord("reported acked");

        holder.stop();
        device.awaitOneApplication(other);
        var before = device.commands(other);
        holder.goOn();

        Patience.until("it has noticed", PATIENCE, () -> !hasConnection(holder));
        assertThat(hasConnection(other)).isTrue();
        assertThat(device.commands(other)).isEqualTo(before);
      }
      try (var device = new ReferenceDevice("still-2", holder, broker)) {
        device.stopThrough(holder);
        device.awaitOneApplication(holder);
      }
    }
  }

  private static Map<String, String> settings(Mosquitto broker) {
    return Map.of(
        "fencepost.mqtt.url", broker.url(),
        "fencepost.mqtt.turn", TURN.toSeconds() + "s",
        "fencepost.mqtt.reconnect", "200ms",
        "fencepost.mqtt.longest-reconnect", "1s",
        "fencepost.live.heartbeat-timeout", "10m",
        "fencepost.command.applied-timeout", "2s",
        "fencepost.command.ack-timeout", "1s");
  }

  private static ServiceProcess holder(Arena arena) {
    Patience.until(
        "one replica has the connection",
        PATIENCE,
        () -> arena.replicas().stream().filter(MosquittoIT::hasConnection).count() == 1);
    return arena.replicas().stream().filter(MosquittoIT::hasConnection).findFirst().orElseThrow();
  }

  private static ServiceProcess otherThan(ServiceProcess holder, Arena arena) {
    return arena.replicas().stream().filter(replica -> replica != holder).findFirst().orElseThrow();
  }

  private static boolean hasConnection(ServiceProcess replica) {
    return Scrape.of(replica, "fencepost_mqtt_connected") == 1;
  }
}
