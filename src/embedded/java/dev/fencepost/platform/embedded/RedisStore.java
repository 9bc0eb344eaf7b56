package dev.fencepost.platform.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Redis as the design wants it: append-only file, no eviction, loopback, a password. */
record RedisStore(DataDirectory directory, Path program) {

  /** On loopback, an answer takes well under 1 ms. */
  private static final int ANSWER_WITHIN_MILLIS = 500;

  /** Only what Redis 6.2 knows. An append-only file that ends in the middle of a write is cut. */
  private static final String CONFIGURATION =
      """
      bind 127.0.0.1
      port %d
      requirepass %s
      dir "%s"
      daemonize no
      logfile ""
      appendonly yes
      appendfsync everysec
      aof-load-truncated yes
      save ""
      maxmemory-policy noeviction
      """;

  RunningServer start(String password) {
    var version = version();
    var started =
        new StartAttempts("Redis", port -> launch(port, password), port -> answers(port, password))
            .run();
    var address = "127.0.0.1:" + started.port();
    return new RunningServer(
        started.process(),
        Map.of("quarkus.redis.hosts", "redis://" + address, "quarkus.redis.password", password),
        "embedded redis %s on %s, data in %s".formatted(version, address, directory.redis()));
  }

  private Supervised launch(int port, String password) {
    var file = directory.redis().resolve("redis.conf");
    try {
      Files.createDirectories(directory.redis());
      Files.setPosixFilePermissions(directory.redis(), OrdinaryUser.OWNER_ONLY);
      removeUnfinishedRewrites();
      var quoted = directory.redis().toString().replace("\\", "\\\\").replace("\"", "\\\"");
      SecretFile.write(file, CONFIGURATION.formatted(port, password, quoted));
    } catch (IOException e) {
      throw new StoresUnavailable("cannot write " + file + ": " + e, e);
    }
    return Supervised.start("TERM", log(), List.of(program.toString(), file.toString()));
  }

  /**
   * A rewrite of the append-only file that a crash cut off; Redis itself never looks at it again.
   */
  private void removeUnfinishedRewrites() throws IOException {
    try (var files = Files.newDirectoryStream(directory.redis(), "temp-rewriteaof-*.aof")) {
      for (var file : files) {
        Files.delete(file);
      }
    }
  }

  /** E.g. {@code 6.2.11}. Also tells early whether the program runs on this system at all. */
  private String version() {
    var line = Command.run(log(), "", List.of(program.toString(), "--version"));
    return line.replaceAll("(?s).*\\bv=(\\S+).*", "$1");
  }

  private Path log() {
    return directory.log("redis");
  }

  private static boolean answers(int port, String password) {
    try (var socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_WITHIN_MILLIS);
      socket.setSoTimeout(ANSWER_WITHIN_MILLIS);
      socket.getOutputStream().write(("AUTH " + password + "\r\nPING\r\n").getBytes(US_ASCII));
      var answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      return "+OK".equals(answers.readLine()) && "+PONG".equals(answers.readLine());
    } catch (IOException e) {
      return false;
    }
  }
}
