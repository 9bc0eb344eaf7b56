package dev.fencepost.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fencepost.LoggedIn;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A real broker between two real processes and the reference device. */
class MosquittoIT {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @Test
  void a_broker_that_is_killed_mid_command_and_restarted_costs_no_second_application()
      throws IOException {
    assumeTrue(isOnPath("mosquitto"), "skipped: there is no mosquitto on the PATH");
    var port = freePort();
    var folder = Files.createTempDirectory(Path.of("target"), "mosquitto-");
    var settings =
        Map.of(
            "fencepost.mqtt.url", "mqtt://127.0.0.1:" + port,
            "fencepost.mqtt.reconnect", "200ms",
            "fencepost.mqtt.longest-reconnect", "1s",
            "fencepost.live.heartbeat-timeout", "10m",
            "fencepost.command.applied-timeout", "2s",
            "fencepost.command.ack-timeout", "1s");
    var broker = broker(folder, port);
    Process device = null;
    try (var arena = Arena.with(settings, "mosquitto", "a", "b")) {
      var log = folder.resolve("device.log");
      device = device(arena.replicas().get(0), port, log);
      Patience.until("the device listens", PATIENCE, () -> said(log, "listens at the broker") > 0);
      var stop = Device.post(arena.replicas().get(1), "/v1/devices/mosq-1/live/stop", "");
      assertThat(stop.body()).contains("\"result\":\"accepted\"");
      Patience.until("it has its command", PATIENCE, () -> said(log, "reported acked") > 0);

      broker.destroyForcibly().onExit().join();
      Patience.until("it has lost its broker", PATIENCE, () -> said(log, "lost its broker") > 0);
      Patience.until("it has obeyed", PATIENCE, () -> said(log, "carried out c") > 0);
      broker = broker(folder, port);

      var ended = device;
      Patience.until("its session is over", PATIENCE, () -> !ended.isAlive());
      assertThat(said(log, "carried out c")).isEqualTo(1);
      assertThat(said(log, "stopped by user, applied")).isEqualTo(1);
      assertThat(Device.get(arena.replicas().get(0), "/v1/devices/mosq-1/commands"))
          .containsOnlyOnce("\"command_id\"")
          .contains("\"status\":\"applied\"");
    } finally {
      broker.destroyForcibly();
      if (device != null) {
        device.destroyForcibly();
      }
    }
  }

  private static Process broker(Path folder, int port) throws IOException {
    var config = folder.resolve("mosquitto.conf");
    Files.writeString(
        config,
        """
        listener %d 127.0.0.1
        allow_anonymous true
        """
            .formatted(port));
    var broker =
        new ProcessBuilder("mosquitto", "-c", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
            .start();
    Patience.until("the broker listens", PATIENCE, () -> accepts(port));
    return broker;
  }

  private static Process device(ServiceProcess service, int port, Path log) throws IOException {
    var command = new ArrayList<>(List.of("bin/device", "--url", service.at("/").toString()));
    command.addAll(List.of("--id", "mosq-1", "--user", "admin"));
    command.addAll(List.of("--password", LoggedIn.ADMIN_PASSWORD, "--slow", "3s"));
    command.addAll(List.of("--heartbeat", "500ms", "--mqtt", "mqtt://127.0.0.1:" + port));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static long said(Path log, String what) {
    try {
      return Files.readString(log, UTF_8).lines().filter(line -> line.contains(what)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static boolean accepts(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
