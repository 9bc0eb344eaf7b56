package dev.fencepost.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** Where the service's own time goes while it assesses: samples of Flight Recorder, by layer. */
final class ProfileScenario {

  private static final int IN_FLIGHT = 64;
  private static final Path RECORDING = Results.DIRECTORY.resolve("profile.jfr");

  /** The innermost frame that one of these knows decides. In this order, for each frame. */
  private static final Map<String, List<String>> LAYERS = layers();

  private ProfileScenario() {}

  private static Map<String, List<String>> layers() {
    var layers = new LinkedHashMap<String, List<String>>();
    layers.put("JSON", List.of("com.fasterxml.jackson."));
    layers.put("Redis client", List.of("io.vertx.redis.", "dev.fencepost.platform.redis."));
    layers.put("PostgreSQL client", List.of("io.vertx.pgclient.", "io.vertx.sqlclient."));
    layers.put(
        "outgoing HTTP",
        List.of(
            "dev.fencepost.platform.outgoing.",
            "io.vertx.core.http.impl.Http1xClient",
            "io.vertx.core.http.impl.HttpClient",
            "io.vertx.ext.web.client.",
            "io.vertx.core.net.impl.NetClient",
            "io.vertx.core.net.impl.pool."));
    layers.put(
        "incoming HTTP and REST",
        List.of(
            "io.vertx.core.http.impl.Http1xServer",
            "io.vertx.ext.web.",
            "org.jboss.resteasy.",
            "io.quarkus.resteasy.",
            "io.quarkus.vertx.http."));
    layers.put("identity", List.of("dev.fencepost.kernel.identity."));
    layers.put("assessment", List.of("dev.fencepost.assessment.", "dev.fencepost.asset."));
    layers.put("leases and events", List.of("dev.fencepost.kernel."));
    layers.put("HTTP codec", List.of("io.netty.handler.codec.http"));
    return layers;
  }

  static void run(Stores stores, Scale scale, Results results) throws IOException {
    Files.createDirectories(Results.DIRECTORY);
    Files.deleteIfExists(RECORDING);
    var jvm = new ArrayList<>(Child.JVM);
    jvm.add(
        "-XX:StartFlightRecording=settings=profile,jdk.ExecutionSample#period=2ms,jdk.NativeMethodSample#period=2ms,filename="
            + RECORDING.toAbsolutePath());
    var from = java.time.Instant.now();
    try (var town = new Town(stores, "profile", jvm, Map.of())) {
      town.register("web-", IN_FLIGHT);
      var work = ClosedLoop.Operation.of(w -> town.assess("web-" + w));
      var seconds = scale.isSmoke() ? 1 : 10;
      ClosedLoop.run(town.vertx(), IN_FLIGHT, Duration.ofSeconds(seconds), work);
      from = java.time.Instant.now();
      ClosedLoop.run(town.vertx(), IN_FLIGHT, Duration.ofSeconds(2L * seconds), work);
    }
    show(from, results);
  }

  private static void show(java.time.Instant from, Results results) throws IOException {
    var samples = new LinkedHashMap<String, Integer>();
    LAYERS.keySet().forEach(layer -> samples.put(layer, 0));
    var all = 0;
    try (var file = new RecordingFile(RECORDING)) {
      while (file.hasMoreEvents()) {
        var event = file.readEvent();
        var name = event.getEventType().getName();
        var counts = name.equals("jdk.ExecutionSample") || name.equals("jdk.NativeMethodSample");
        if (counts && event.getStartTime().isAfter(from) && event.getStackTrace() != null) {
          var layer = layer(event.getStackTrace(), name);
          if (!layer.equals(IDLE)) {
            samples.merge(layer, 1, Integer::sum);
            all++;
          }
        }
      }
    }
    var total = Math.max(1, all);
    samples.entrySet().stream()
        .sorted((one, other) -> other.getValue() - one.getValue())
        .filter(layer -> layer.getValue() > 0)
        .forEach(
            layer ->
                results.add(
                    Line.of("profile")
                        .with("where", layer.getKey())
                        .with("samples", layer.getValue())
                        .with("percent", 100.0 * layer.getValue() / total)));
  }

  private static final String IDLE = "idle";

  private static String layer(RecordedStackTrace trace, String event) {
    var frames = trace.getFrames();
    var first = frames.get(0).getMethod();
    var leaf = first.getType().getName() + "." + first.getName();
    if (event.equals("jdk.NativeMethodSample")) {
      // Waiting looks native too; only reads and writes of sockets are work.
      return leaf.contains("read") || leaf.contains("write") || leaf.contains("connect")
          ? "socket system calls"
          : IDLE;
    }
    for (var frame : frames) {
      var type = frame.getMethod().getType().getName();
      for (var layer : LAYERS.entrySet()) {
        if (layer.getValue().stream().anyMatch(type::startsWith)) {
          return layer.getKey();
        }
      }
    }
    return "event loop, timers, the rest";
  }
}
