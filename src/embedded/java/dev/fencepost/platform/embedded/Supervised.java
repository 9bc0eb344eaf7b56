package dev.fencepost.platform.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A server under {@code supervise.sh}, in a session of its own where the system has {@code setsid}
 * and in a process group of its own elsewhere.
 */
final class Supervised {

  /** PostgreSQL writes a checkpoint, Redis its append-only file. Then the supervisor kills. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  private static final Duration DIE_WITHIN = Duration.ofSeconds(5);

  private final Process process;
  private final Path log;

  private Supervised(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it and does not wait.
   *
   * @param stopSignal asks the server to stop
   * @param log begins anew, and takes all that the server prints
   */
  static Supervised start(String stopSignal, Path log, List<String> server) {
    var command = new ArrayList<>(shell());
    command.addAll(
        List.of("-c", script(), "supervise", stopSignal, Long.toString(STOP_WITHIN.toSeconds())));
    command.addAll(server);
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      return new Supervised(builder.redirectOutput(log.toFile()).start(), log);
    } catch (IOException e) {
      throw new StoresUnavailable("cannot run " + server.get(0) + ": " + e.getMessage(), e);
    }
  }

  private static List<String> shell() {
    return Command.succeeds(List.of("setsid", "true"))
        ? List.of("setsid", "sh")
        : List.of("sh", "-m");
  }

  private static String script() {
    try (InputStream text = Supervised.class.getResourceAsStream("/embedded/supervise.sh")) {
      if (text == null) {
        throw new IllegalStateException("supervise.sh is not packaged");
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new StoresUnavailable("cannot read supervise.sh: " + e, e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Why it is not alive, in its own last words. */
  String lastWords() {
    return Command.tail(log);
  }

  /** Asks it to stop and does not wait: to the supervisor, this is the end of the JVM. */
  void ask() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The pipe breaks when the supervisor is gone, and that is what was wanted.
      if (process.isAlive()) {
        throw new StoresUnavailable("cannot stop process " + process.pid() + ": " + e, e);
      }
    }
  }

  /** Blocks until it is gone. */
  void stop() {
    ask();
    var gone = Patience.until(STOP_WITHIN.plus(DIE_WITHIN), () -> !process.isAlive());
    if (!gone) {
      throw new StoresUnavailable("process " + process.pid() + " does not stop");
    }
  }
}
