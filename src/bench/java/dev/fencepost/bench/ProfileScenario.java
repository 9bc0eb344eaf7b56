package dev.fencepost.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** Where the service's own time goes while it assesses: samples of Flight Recorder, by layer. */
final class ProfileScenario {

  private static final int IN_FLIGHT = Town.ASSETS;
  private static final int ROUNDS = 12;
  private static final String NAME = "bench";
  private static final String SAMPLES = "jdk.ExecutionSample#period";
  private static final String WAITS = "jdk.NativeMethodSample#period";
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

  static void run(Town town, Scale scale, Results results) throws IOException {
    Files.createDirectories(Results.DIRECTORY);
    Files.deleteIfExists(RECORDING);
    var work = ClosedLoop.Operation.of(w -> town.assess("web-" + w));
    town.warmUp(scale);
    tell(town, "JFR.start", "name=" + NAME, "settings=profile", SAMPLES + "=2ms", WAITS + "=2ms");
    ClosedLoop.run(town.vertx(), IN_FLIGHT, scale.round().multipliedBy(ROUNDS), work);
    tell(town, "JFR.stop", "name=" + NAME, "filename=" + RECORDING.toAbsolutePath());
    show(results);
  }

  /** As an operator would. */
  private static void tell(Town town, String... words) throws IOException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    var command = new ArrayList<>(List.of(jcmd, Long.toString(town.service().handle().pid())));
    command.addAll(List.of(words));
    var log = Results.DIRECTORY.resolve("profile-jcmd.log").toFile();
    try {
      var done = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
      if (done.waitFor() != 0) {
        throw new IllegalStateException("jcmd did not do it, see " + log);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void show(Results results) throws IOException {
    var samples = new LinkedHashMap<String, Integer>();
    LAYERS.keySet().forEach(layer -> samples.put(layer, 0));
    var all = 0;
    try (var file = new RecordingFile(RECORDING)) {
      while (file.hasMoreEvents()) {
        var event = file.readEvent();
        var name = event.getEventType().getName();
        var counts = SAMPLES.startsWith(name + "#") || WAITS.startsWith(name + "#");
        if (counts && event.getStackTrace() != null) {
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
