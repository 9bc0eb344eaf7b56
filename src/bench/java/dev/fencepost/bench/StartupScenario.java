package dev.fencepost.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * From the start of the process until it is ready, on stores that are there already; and what it
 * then holds in memory. With the Java this runs on, and with Java 25 and its AOT cache if the
 * machine has one.
 */
final class StartupScenario {

  private static final Path JVMS = Path.of("/usr/lib/jvm");
  private static final Path CACHE = Results.DIRECTORY.resolve("fencepost.aot").toAbsolutePath();
  private static final int REQUESTS = 200;
  private static final int IN_FLIGHT = 16;

  /** A start takes long. */
  private static final int ROUNDS = 2;

  private StartupScenario() {}

  private record Started(double seconds, double idle, double worked) {}

  static void run(Stores stores, Scale scale, Results results) throws Exception {
    var ways = ways(stores);
    var turns = new Turns<Started>();
    ways.forEach((name, command) -> turns.side(name, () -> start(stores, scale, command)));
    turns.playCold(scale.rounds(ROUNDS).rounds());
    ways.keySet()
        .forEach(
            name ->
                results.add(
                    Line.of("startup")
                        .with("java", name)
                        .with("ready after s", turns.spread(name, Started::seconds))
                        .with("MB when ready", turns.spread(name, Started::idle))
                        .with(
                            "MB after " + REQUESTS + " assessments",
                            turns.spread(name, Started::worked))));
  }

  private static Map<String, List<String>> ways(Stores stores) throws Exception {
    var ways = new LinkedHashMap<String, List<String>>();
    ways.put("Java " + Runtime.version().feature(), command(Child.java()));
    var newest = java25();
    if (newest != null) {
      ways.put("Java 25", command(newest));
      train(stores, newest);
      if (Files.exists(CACHE)) {
        ways.put("Java 25 with AOT cache", command(newest, "-XX:AOTCache=" + CACHE));
      }
    }
    return ways;
  }

  private static List<String> command(String java, String... more) {
    var command = new ArrayList<>(List.of(java));
    command.addAll(Child.JVM);
    command.addAll(List.of(more));
    return command;
  }

  private static String java25() throws IOException {
    if (!Files.isDirectory(JVMS)) {
      return null;
    }
    try (Stream<Path> jvms = Files.list(JVMS)) {
      return jvms.filter(jvm -> jvm.getFileName().toString().contains("25"))
          .map(jvm -> jvm.resolve("bin/java"))
          .filter(Files::isExecutable)
          .map(Path::toString)
          .findFirst()
          .orElse(null);
    }
  }

  /** One run that is watched; the cache is written when it ends. */
  private static void train(Stores stores, String java) throws Exception {
    Files.deleteIfExists(CACHE);
    try (var child = child(stores, command(java, "-XX:AOTCacheOutput=" + CACHE))) {
      child.awaitSeconds("/q/health/ready");
      child.handle().destroy();
      child.handle().onExit().get(120, TimeUnit.SECONDS);
    }
  }

  private static Child child(Stores stores, List<String> command) {
    return new Child(
        "startup-service",
        command.get(0),
        command.subList(1, command.size()),
        Child.SERVICE,
        Town.serviceSettings(stores));
  }

  private static Started start(Stores stores, Scale scale, List<String> command) {
    try (var child = child(stores, command)) {
      var seconds = child.awaitSeconds("/q/health/ready");
      var idle = child.residentMegabytes();
      work(child, scale);
      return new Started(seconds, idle, child.residentMegabytes());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Assessments of an asset that is offline: short, and they need nothing outside. */
  private static void work(Child child, Scale scale) {
    var vertx = io.vertx.core.Vertx.vertx();
    try (var client = new Client(vertx, child.port()).signIn("admin", Town.PASSWORD)) {
      ClosedLoop.each(
          vertx,
          IN_FLIGHT,
          IN_FLIGHT,
          i -> client.put("/v1/assets/start-" + i, "{\"address\":\"heartbeat:\"}"));
      ClosedLoop.each(
          vertx,
          IN_FLIGHT,
          scale.of(REQUESTS),
          i ->
              client.send(
                  io.vertx.core.http.HttpMethod.POST,
                  "/v1/assets/start-" + i % IN_FLIGHT + "/assessments",
                  Town.ASSESSMENT,
                  Map.of("Prefer", "wait=30")));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }
}
