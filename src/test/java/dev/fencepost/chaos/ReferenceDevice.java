package dev.fencepost.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code bin/device} behind a broker: one session, from its start to its stop. */
final class ReferenceDevice implements AutoCloseable {

  /** It begins with a start of a JVM, on a machine that may have others to start. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final String id;
  private final Path log;
  private final Process process;

  /**
   * Starts it, and waits until it listens at the broker.
   *
   * @param service with which it starts its session, and asks how it ended
   * @param more what else its command line says
   */
  ReferenceDevice(String id, ServiceProcess service, Mosquitto broker, String... more) {
    this(id, service, broker.url(), broker.folder(), more);
  }

  ReferenceDevice(String id, ServiceProcess service, String broker, Path folder, String... more) {
    this.id = id;
    this.log = folder.resolve(id + ".log");
    var command = new ArrayList<>(List.of("bin/device", "--url", service.at("/").toString()));
    command.addAll(List.of("--id", id, "--user", "admin"));
    command.addAll(List.of("--password", LoggedIn.ADMIN_PASSWORD, "--slow", "3s"));
    command.addAll(List.of("--heartbeat", "500ms", "--mqtt", broker));
    command.addAll(List.of(more));
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitWord("listens at the broker");
  }

  void awaitWord(String what) {
    Patience.until(id + " says: " + what + ", see " + log, PATIENCE, () -> said(what) > 0);
  }

  /** Waits until the service says that the session is over: stopped once, and the device did it. */
  void awaitOneApplication(ServiceProcess service) {
    Patience.until("the session is over, see " + log, PATIENCE, () -> !process.isAlive());
    assertThat(said("carried out c")).as(log.toString()).isEqualTo(1);
    assertThat(said("stopped by user, applied")).as(log.toString()).isEqualTo(1);
    assertThat(commands(service))
        .containsOnlyOnce("\"command_id\"")
        .contains("\"status\":\"applied\"");
  }

  /** Its commands, as a replica shows them. */
  String commands(ServiceProcess service) {
    return Device.get(service, "/v1/devices/" + id + "/commands");
  }

  /** Asks a replica to stop it, as the first who does. */
  void stopThrough(ServiceProcess service) {
    var answer = Device.post(service, "/v1/devices/" + id + "/live/stop", "");
    assertThat(answer.body()).contains("\"result\":\"accepted\"");
  }

  private long said(String what) {
    try {
      return Files.readString(log, UTF_8).lines().filter(line -> line.contains(what)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
