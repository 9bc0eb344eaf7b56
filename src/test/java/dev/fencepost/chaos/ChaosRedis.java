package dev.fencepost.chaos;

import dev.fencepost.RedisByHand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.exceptions.JedisException;

/** A Redis of the harness's own, which it may stop, kill and start again. */
final class ChaosRedis implements AutoCloseable {

  static final String PASSWORD = "chaos";

  private final Path program;
  private final Path directory;
  private final int port;
  private final List<String> more;
  private Process process;

  ChaosRedis(Path program, Path directory) {
    this(program, directory, List.of());
  }

  /**
   * One with options of a scenario's own.
   *
   * @param more as its command line takes them
   */
  ChaosRedis(Path program, Path directory, List<String> more) {
    this.program = program;
    this.directory = directory;
    this.port = freePort();
    this.more = more;
    start();
  }

  int port() {
    return port;
  }

  Object send(String command, String... words) {
    return new RedisByHand("127.0.0.1", port, PASSWORD).send(command, words);
  }

  void signal(Signal signal) {
    signal.to(process.pid());
  }

  /** Killed, and started again with what its append-only file holds: everything it answered to. */
  void restart(long awayMillis) {
    signal(Signal.KILL);
    Patience.until("Redis is gone", Duration.ofSeconds(5), () -> !process.isAlive());
    Patience.pause(awayMillis);
    start();
  }

  private void start() {
    try {
      Files.createDirectories(directory);
      process =
          new ProcessBuilder(command())
              .redirectErrorStream(true)
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(directory.resolve("redis.log").toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Patience.until("Redis answers", Duration.ofSeconds(10), this::answers);
  }

  private List<String> command() {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of("--bind", "127.0.0.1", "--port", Integer.toString(port)));
    command.addAll(List.of("--requirepass", PASSWORD));
    command.addAll(List.of("--dir", directory.toAbsolutePath().toString()));
    command.addAll(List.of("--appendonly", "yes", "--save", ""));
    command.addAll(List.of("--maxmemory-policy", "noeviction"));
    command.addAll(more);
    return command;
  }

  private boolean answers() {
    try {
      return "PONG".equals(send("PING"));
    } catch (JedisException e) {
      return false;
    }
  }

  static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
