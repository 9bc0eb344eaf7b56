package dev.fencepost.chaos;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;

/** One replica: a process of the packaged service, which can be killed, stopped and replaced. */
final class ServiceProcess implements AutoCloseable {

  /** A start takes 3 s on an idle machine of two cores, and far more on a busy one. */
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  /** What is set by this is not for the service, but for its Java machine. */
  static final String HEAP = "chaos.heap";

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

  private final String name;
  private final Path application;
  private final Map<String, String> settings;
  private final Map<String, String> environment;
  private final int port = ChaosRedis.freePort();
  private final Path log;
  private Process process;
  private volatile boolean stopped;

  ServiceProcess(String name, Path application, Path logs, Map<String, String> settings) {
    this(name, application, logs, settings, Map.of());
  }

  /**
   * A process that is told something the way operators tell it.
   *
   * @param environment beats nothing that is among the settings
   */
  ServiceProcess(
      String name,
      Path application,
      Path logs,
      Map<String, String> settings,
      Map<String, String> environment) {
    this.name = name;
    this.application = application;
    this.settings = settings;
    this.environment = environment;
    this.log = logs.resolve(name + ".log");
    start();
  }

  void start() {
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-Xmx" + settings.getOrDefault(HEAP, "192m"));
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.add("-Dquarkus.http.host=127.0.0.1");
    command.add("-Dquarkus.http.port=" + port);
    command.add("-Dfencepost.instance=" + name);
    command.add("-jar");
    command.add(application.resolve("quarkus-run.jar").toString());
    try {
      var builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().putAll(environment);
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From its next start on. */
  void set(String setting, String value) {
    settings.put(setting, value);
  }

  String name() {
    return name;
  }

  /** What it, and those before it in its place, have logged. */
  Path log() {
    return log;
  }

  URI at(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  boolean isStopped() {
    return stopped;
  }

  void awaitReady() {
    Patience.until(name + " is ready, see " + log, START_LIMIT, this::isReady);
  }

  boolean isReady() {
    if (!process.isAlive()) {
      throw new AssertionError(name + " ended by itself, see " + log);
    }
    try {
      return send("/q/health/ready").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  HttpResponse<String> get(String path) {
    try {
      return send(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<String> send(String path) throws IOException {
    var request = HttpRequest.newBuilder(at(path)).timeout(Duration.ofSeconds(3)).build();
    try {
      return HTTP.send(
          path.startsWith("/q/") ? request : LoggedIn.asAdmin(request), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void stop() {
    stopped = true;
    Signal.STOP.to(pid());
  }

  void goOn() {
    Signal.CONT.to(pid());
    stopped = false;
  }

  /** A whole collection, so that what is left is what is used. */
  void collectGarbage() throws IOException, InterruptedException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    var ended =
        new ProcessBuilder(jcmd.toString(), Long.toString(pid()), "GC.run")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (ended != 0) {
      throw new AssertionError(jcmd + " ended with " + ended);
    }
  }

  /** SIGTERM, and waits until it has drained. */
  void terminate(Duration limit) {
    askToEnd();
    awaitEnd(limit);
  }

  void askToEnd() {
    process.destroy();
  }

  void awaitEnd(Duration limit) {
    Patience.until(name + " has drained, see " + log, limit, () -> !process.isAlive());
  }

  /** SIGKILL, and a new process in its place. */
  void killAndReplace() {
    kill();
    start();
  }

  private void kill() {
    process.destroyForcibly();
    Patience.until(name + " is gone", Duration.ofSeconds(5), () -> !process.isAlive());
    stopped = false;
  }

  @Override
  public void close() {
    kill();
  }
}
