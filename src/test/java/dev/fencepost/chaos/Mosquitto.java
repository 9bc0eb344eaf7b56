package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A real broker on a port of its own. It keeps its port, not its sessions, when it is killed. */
final class Mosquitto implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Who starts it may read what it is to read. */
  private static final String USER = System.getProperty("user.name");

  private static final String ANYBODY = "allow_anonymous true";

  private final int port = ChaosRedis.freePort();
  private final Path folder;
  private Process process;

  private Mosquitto() {
    try {
      folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "mosquitto-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that anybody may use. */
  static Mosquitto open() {
    var broker = notStarted();
    broker.start(ANYBODY);
    return broker;
  }

  /** One that is started later. Skips the test where there is no such program. */
  static Mosquitto notStarted() {
    assumeTrue(isOnPath("mosquitto"), "skipped: there is no mosquitto on the PATH");
    return new Mosquitto();
  }

  void start() {
    start(ANYBODY);
  }

  /** Starts it with these lines of configuration for its listener. */
  void start(String configuration) {
    var config = folder.resolve("mosquitto.conf");
    try {
      Files.writeString(
          config, "user %s%nlistener %d 127.0.0.1%n%s%n".formatted(USER, port, configuration));
      process =
          new ProcessBuilder("mosquitto", "-c", config.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Patience.until("the broker listens, see " + folder, PATIENCE, this::accepts);
  }

  void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  Path folder() {
    return folder;
  }

  int port() {
    return port;
  }

  String url() {
    return "mqtt://127.0.0.1:" + port;
  }

  /** Lines of configuration: only who knows the password of one of these may come. */
  String passwords(Map<String, String> byUser) {
    var file = folder.resolve("passwords");
    try {
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byUser.forEach(
        (user, password) ->
            run(List.of("mosquitto_passwd", "-b", file.toString(), user, password)));
    return "allow_anonymous false%npassword_file %s%n".formatted(file);
  }

  /** Runs a tool to its end, which must be a good one. */
  static void run(List<String> command) {
    try {
      var tool = new ProcessBuilder(command).inheritIO().start();
      assertThat(tool.waitFor()).as(command.get(0)).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(command.get(0), e);
    }
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private boolean accepts() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    kill();
  }
}
