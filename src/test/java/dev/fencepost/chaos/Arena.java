package dev.fencepost.chaos;

import dev.fencepost.LoggedIn;
import dev.fencepost.RedisByHand;
import dev.fencepost.platform.embedded.EmbeddedStores;
import dev.fencepost.platform.embedded.RunningStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * Where a scenario takes place: an empty Redis, a PostgreSQL, an outside world, and some replicas
 * of the service. Each replica reaches Redis through a proxy of its own.
 */
final class Arena implements AutoCloseable {

  static final Duration LEASE = Duration.ofSeconds(2);

  private static final Path DIRECTORY = Path.of("target", "chaos");
  private static final Path PACKAGED = Path.of("target", "quarkus-app");
  private static final int LANES = 8;

  private final Path application;
  private final Path directory;

  /** Of this run alone: a spool that another run left behind is none of its history. */
  private final Path data;

  private final Map<String, String> special;
  private final ChaosRedis redis;
  private final Outside outside = new Outside();
  private final Map<String, Proxy> proxies = new HashMap<>();
  private final List<ServiceProcess> replicas = new ArrayList<>();

  private Arena(Path application, Map<String, String> special, String scenario, String... names) {
    try {
      directory = Files.createDirectories(DIRECTORY.resolve(scenario));
      data = Files.createTempDirectory(directory, "data-");
      redis = new ChaosRedis(Stores.redisProgram(), data.resolve("redis"));
      this.application = application;
      this.special = special;
      for (var name : names) {
        start(name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    replicas.forEach(ServiceProcess::awaitReady);
  }

  /** With {@code -Dchaos.broken=true}, of a service whose fence has been taken out. */
  static Arena open(String scenario, String... names) {
    return new Arena(
        Boolean.getBoolean("chaos.broken") ? BrokenBuild.of(PACKAGED, DIRECTORY) : PACKAGED,
        Map.of(),
        scenario,
        names);
  }

  /** Of the service as it is, with settings of the scenario's own. */
  static Arena with(Map<String, String> special, String scenario, String... names) {
    return new Arena(PACKAGED, special, scenario, names);
  }

  /**
   * Always of the service without a fence. Leases are not renewed, so that a holder does not notice
   * that it lost one before it writes: then only the fence is left.
   */
  static Arena broken(String scenario, String... names) {
    return new Arena(
        BrokenBuild.of(PACKAGED, DIRECTORY),
        Map.of("fencepost.lease.renew-every", "1h"),
        scenario,
        names);
  }

  /** The settings of a replica that reaches PostgreSQL on this port. */
  static Map<String, String> postgresAt(int port) {
    return Map.of(
        "quarkus.datasource.jdbc.url", "jdbc:postgresql://127.0.0.1:" + port + databasePath(),
        "quarkus.datasource.reactive.url", "postgresql://127.0.0.1:" + port + databasePath());
  }

  static int postgresPort() {
    return reactiveUrl().getPort();
  }

  private static String databasePath() {
    return reactiveUrl().getPath();
  }

  private static URI reactiveUrl() {
    return URI.create(Stores.postgres().get("quarkus.datasource.reactive.url"));
  }

  /** One more replica, once it is ready. */
  ServiceProcess add(String name) {
    try {
      var added = start(name);
      added.awaitReady();
      return added;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServiceProcess start(String name) throws IOException {
    proxies.put(name, new Proxy(redis.port()));
    var settings = settings(name);
    settings.putAll(special);
    var replica = new ServiceProcess(name, application, directory, settings);
    replicas.add(replica);
    return replica;
  }

  private HashMap<String, String> settings(String name) {
    var settings = new HashMap<>(Stores.postgres());
    settings.put("quarkus.redis.hosts", "redis://127.0.0.1:" + proxies.get(name).port());
    settings.put("quarkus.redis.password", ChaosRedis.PASSWORD);
    settings.put("fencepost.embedded", "false");
    settings.put("fencepost.lanes", Integer.toString(LANES));
    settings.put("fencepost.lease.ttl", LEASE.toSeconds() + "s");
    settings.put("fencepost.shutdown.grace", "2s");
    settings.put("fencepost.limits.requests-per-second", "0");
    settings.put("fencepost.limits.body-timeout", "60s");
    settings.put("fencepost.probe.allow", "127.0.0.0/8");
    settings.put("fencepost.advisories.source", "osv-api");
    settings.put("fencepost.advisories.osv-api.url", outside.url());
    settings.put("fencepost.notify.channels.ops.type", "webhook");
    settings.put("fencepost.notify.channels.ops.url", outside.url() + "/hook");
    settings.put("fencepost.assessment.max-attempts", "20");
    settings.put("fencepost.audit.backlog", "10000000");
    settings.put("fencepost.audit.project", "false");
    settings.put(
        "fencepost.identity.keys.path", DIRECTORY.resolve("keys").toAbsolutePath().toString());
    settings.put("fencepost.data-dir", data.resolve(name).toAbsolutePath().toString());
    settings.put("fencepost.identity.keys.path", SharedKey.folder(DIRECTORY).toString());
    settings.put("fencepost.admin.password", LoggedIn.ADMIN_PASSWORD);
    settings.put("fencepost.identity.token.lifetime", "12h");
    settings.put("fencepost.identity.password.memory-kib", "64");
    settings.put("fencepost.identity.password.iterations", "1");
    return settings;
  }

  ChaosRedis redis() {
    return redis;
  }

  static int lanes() {
    return LANES;
  }

  Outside outside() {
    return outside;
  }

  Proxy proxyOf(ServiceProcess replica) {
    return proxies.get(replica.name());
  }

  List<ServiceProcess> replicas() {
    return replicas;
  }

  /** What the streams, the tickets and the webhook say, once it is quiet. */
  History history() {
    return HistoryReader.read(redis, LANES, outside.calls());
  }

  @Override
  public void close() {
    replicas.forEach(ServiceProcess::close);
    outside.close();
    redis.close();
    proxies.values().forEach(Arena::close);
  }

  private static void close(Proxy proxy) {
    try {
      proxy.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bundled stores, a second time: nothing that other tests use is disturbed. */
  private static final class Stores {

    private static final RunningStores BUNDLED = start();

    private static RunningStores start() {
      var stores =
          EmbeddedStores.bundled()
              .orElseThrow()
              .start(DIRECTORY.resolve("stores"), System.out::println);
      empty(stores.settings());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> Reference.reachabilityFence(stores)));
      return stores;
    }

    private static void empty(Map<String, String> settings) {
      var login = new Properties();
      login.put("user", settings.get("quarkus.datasource.username"));
      login.put("password", settings.get("quarkus.datasource.password"));
      var url = settings.get("quarkus.datasource.jdbc.url");
      try (var connection = new Driver().connect(url, login);
          var statement = connection.createStatement()) {
        statement.execute("DROP SCHEMA public CASCADE");
        statement.execute("CREATE SCHEMA public");
      } catch (SQLException e) {
        throw new IllegalStateException("cannot empty the database", e);
      }
    }

    static Map<String, String> postgres() {
      var settings = new HashMap<>(BUNDLED.settings());
      settings.keySet().removeIf(key -> !key.startsWith("quarkus.datasource."));
      return settings;
    }

    /** The bundled Redis only says where its program is: it must not be harmed. */
    static Path redisProgram() {
      return RedisByHand.programOf(BUNDLED.settings());
    }
  }
}
