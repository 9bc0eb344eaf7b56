package dev.fencepost.chaos;

import dev.fencepost.RedisByHand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import redis.clients.jedis.exceptions.JedisException;

/** A Redis of the harness's own, which it may stop, kill and start again. */
final class ChaosRedis implements AutoCloseable {

  static final String PASSWORD = "chaos";

  private final Path program;
  private final Path directory;
  private final int port;
  private Process process;

  ChaosRedis(Path program, Path directory) {
    this.program = program;
    this.directory = directory;
    this.port = freePort();
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
          new ProcessBuilder(
                  program.toString(),
                  "--bind",
                  "127.0.0.1",
                  "--port",
                  Integer.toString(port),
                  "--requirepass",
                  PASSWORD,
                  "--dir",
                  directory.toAbsolutePath().toString(),
                  "--appendonly",
                  "yes",
                  "--save",
                  "",
                  "--maxmemory-policy",
                  "noeviction")
              .redirectErrorStream(true)
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(directory.resolve("redis.log").toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Patience.until("Redis answers", Duration.ofSeconds(10), this::answers);
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
