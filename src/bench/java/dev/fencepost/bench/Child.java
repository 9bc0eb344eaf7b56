package dev.fencepost.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A measured process: the packaged service, or the yardstick. */
final class Child implements AutoCloseable {

  static final Path SERVICE = Path.of("target", "quarkus-app", "quarkus-run.jar");
  static final Path YARDSTICK =
      Path.of("target", "bench", "yardstick", "quarkus-app", "quarkus-run.jar");

  /** Both sides get the same. */
  static final List<String> JVM = List.of("-Xmx512m");

  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final long POLL_MILLIS = 10;
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

  private final String name;
  private final int port = freePort();
  private final Path log;
  private final Process process;
  private final long begun = System.nanoTime();

  Child(String name, String java, List<String> jvm, Path jar, Map<String, String> settings) {
    this.name = name;
    this.log = Results.DIRECTORY.resolve(name + ".log");
    var command = new ArrayList<String>();
    command.add(java);
    command.addAll(jvm);
    settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.add("-Dquarkus.http.host=127.0.0.1");
    command.add("-Dquarkus.http.port=" + port);
    command.add("-jar");
    command.add(jar.toString());
    try {
      Files.createDirectories(Results.DIRECTORY);
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      // Nothing that was measured outlives the measuring, however that ends.
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String java() {
    return ProcessHandle.current().info().command().orElse("java");
  }

  int port() {
    return port;
  }

  Path log() {
    return log;
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Waits until this path answers below 500, and says how long after the start that was. */
  double awaitSeconds(String path) {
    var until = System.nanoTime() + START_LIMIT.toNanos();
    while (System.nanoTime() < until) {
      if (!process.isAlive()) {
        throw new IllegalStateException(name + " ended by itself, see " + log);
      }
      if (answers(path)) {
        return (System.nanoTime() - begun) / 1e9;
      }
      pause();
    }
    throw new IllegalStateException(name + " is not ready, see " + log);
  }

  private boolean answers(String path) {
    try {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .timeout(Duration.ofSeconds(2))
              .build();
      return HTTP.send(request, BodyHandlers.discarding()).statusCode() < 500;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  Duration cpu() {
    return Cpu.of(handle());
  }

  /** Resident memory, in MB. */
  double residentMegabytes() throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElseThrow();
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
    process.destroy();
    try {
      if (!process.waitFor(40, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
