package dev.fencepost.bench;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Where HTTP scenarios take place, one after the other: the service and the yardstick on the same
 * stores and stubs. Code that one scenario has warmed is warm for the next.
 */
final class Town implements AutoCloseable {

  /** How many assets there are, {@code web-0} and so on, one for each that is in flight. */
  static final int ASSETS = 64;

  static final String ASSESSMENT = "{\"force\":true}";

  /** The admin of this run; without identity, nobody asks for it. */
  static final String PASSWORD = "bench-9f2c61d07ab4";

  /** The service's own code is compiled for minutes on a small machine. */
  private static final int COMPILING_ROUNDS = 95;

  /** So few at once leave the compiler a processor. */
  private static final int FEW = 8;

  private static final int BUSY_ROUNDS = 15;
  private static final int IN_FLIGHT = 16;
  private static final String INVENTORY =
      """
      {"components":[{"purl":"pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1"},
       {"purl":"pkg:maven/org.slf4j/slf4j-api@2.0.13"},{"purl":"pkg:npm/left-pad@1.3.0"},
       {"purl":"pkg:npm/express@4.19.2"},{"purl":"pkg:pypi/requests@2.32.3"}]}""";

  private final Vertx vertx = Vertx.vertx();
  private final Stores stores;
  private final Outside outside;
  private final Child service;
  private final Child yardstick;
  private final Client toService;
  private final Client toYardstick;
  private boolean warm;

  Town(Stores stores) throws IOException {
    this.stores = stores;
    outside = new Outside(vertx);
    service = new Child("service", Child.java(), Child.JVM, Child.SERVICE, settings());
    yardstick =
        new Child("yardstick", Child.java(), Child.JVM, Child.YARDSTICK, yardstickSettings());
    service.awaitSeconds("/q/health/ready");
    yardstick.awaitSeconds("/");
    toService = new Client(vertx, service.port()).signIn("admin", PASSWORD);
    toYardstick = new Client(vertx, yardstick.port());
    register("web-", ASSETS);
  }

  private Map<String, String> settings() {
    var settings = serviceSettings(stores);
    settings.put("fencepost.advisories.source", "osv-api");
    settings.put("fencepost.advisories.osv-api.url", outside.url());
    settings.put("fencepost.notify.channels.ops.type", "webhook");
    settings.put("fencepost.notify.channels.ops.url", outside.url() + "/hook");
    return settings;
  }

  /** What differs from the defaults; docs/performance.md says so. */
  static Map<String, String> serviceSettings(Stores stores) {
    var settings = new HashMap<>(stores.settings());
    settings.put("fencepost.probe.allow", "127.0.0.0/8");
    settings.put("fencepost.redis.timeout", "10s");
    for (var step : List.of("online", "vulnerability", "threat", "notify")) {
      settings.put("fencepost.step." + step + ".timeout", "20s");
    }
    settings.put("fencepost.lease.ttl", "60s");
    settings.put("fencepost.identity.max-stale", "1h");
    settings.put("fencepost.identity.token.lifetime", "1h");
    settings.put("fencepost.outgoing.connections-per-host", "128");
    settings.put("fencepost.limits.requests-per-second", "0");
    settings.put("fencepost.admin.password", PASSWORD);
    settings.put("fencepost.identity.keys.path", Keys.folder().toString());
    settings.put("fencepost.data-dir", Results.DIRECTORY.resolve("data").toString());
    return settings;
  }

  private Map<String, String> yardstickSettings() {
    var settings = new HashMap<>(stores.settings());
    settings.put("yardstick.outside", outside.url());
    return settings;
  }

  Stores stores() {
    return stores;
  }

  Vertx vertx() {
    return vertx;
  }

  Outside outside() {
    return outside;
  }

  Child service() {
    return service;
  }

  Child yardstick() {
    return yardstick;
  }

  Client toService() {
    return toService;
  }

  Client toYardstick() {
    return toYardstick;
  }

  /** Registers assets that will be found at high risk. */
  void register(String prefix, int count) {
    var asset = "{\"address\":\"%s/probe\",\"exposure\":\"public\"}".formatted(outside.url());
    ClosedLoop.each(
        vertx,
        IN_FLIGHT,
        count,
        i ->
            toService
                .put("/v1/assets/" + prefix + i, asset)
                .flatMap(
                    put -> toService.put("/v1/assets/" + prefix + i + "/inventory", INVENTORY)));
  }

  /** Assesses, uncounted, until the compiler has seen most of what there is; once in a run. */
  void warmUp(Scale scale) {
    if (!warm) {
      warm = true;
      warmUp(scale, FEW, COMPILING_ROUNDS, w -> assess("web-" + w));
      warmUp(scale, ASSETS, BUSY_ROUNDS, w -> straight("web-" + w, false));
      warmUp(scale, ASSETS, BUSY_ROUNDS, w -> straight("web-" + w, true));
      warmUp(scale, ASSETS, BUSY_ROUNDS, w -> assess("web-" + w));
    }
  }

  private void warmUp(Scale scale, int inFlight, int rounds, IntFunction<Uni<?>> work) {
    var seconds = scale.round().multipliedBy(scale.of(rounds));
    ClosedLoop.run(vertx, inFlight, seconds, ClosedLoop.Operation.of(work));
  }

  /** A new assessment, to its end. */
  Uni<?> assess(String assetId) {
    return toService
        .send(
            HttpMethod.POST,
            "/v1/assets/" + assetId + "/assessments",
            ASSESSMENT,
            Map.of("Prefer", "wait=30"))
        .invoke(Town::requireNotified);
  }

  /** The first assessment of an asset, with the fast filter before it. */
  Uni<?> assessFirst(String assetId) {
    return toService
        .send(
            HttpMethod.POST,
            "/v1/assets/" + assetId + "/assessments",
            "{}",
            Map.of("Prefer", "wait=30"))
        .invoke(Town::requireNotified);
  }

  private static void requireNotified(Client.Reply answer) {
    var text = answer.body();
    if (!text.contains("\"status\":\"FINISHED\"") || !text.contains("\"state\":\"NOTIFIED\"")) {
      throw new IllegalStateException("not assessed to the end: " + text);
    }
  }

  /** The same in a straight line. */
  Uni<?> straight(String assetId, boolean freshly) {
    return toYardstick.post("/bare/assessments/" + assetId + "?freshly=" + freshly, "");
  }

  @Override
  public void close() {
    toService.close();
    toYardstick.close();
    service.close();
    yardstick.close();
    outside.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
