package dev.fencepost;

import dev.fencepost.platform.embedded.EmbeddedStores;
import dev.fencepost.platform.embedded.RunningStores;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * One real Redis and one real PostgreSQL, both empty, for all tests of a JVM. Every {@code
 * QuarkusTest} runs on them, because of the annotation; other tests ask for {@link #redis()}.
 */
@WithTestResource(value = StoresForTests.class, scope = TestResourceScope.GLOBAL)
public final class StoresForTests implements QuarkusTestResourceLifecycleManager {

  /** Kept over runs, so that the programs are unpacked once. */
  private static final Path DIRECTORY = Path.of("target", "test-stores");

  /** What the class loaders of a test run have in common is system properties. */
  private static final String SHARED = "dev.fencepost.stores-for-tests:";

  /** The address with its password, as Redis clients take it. */
  public static URI redis() {
    var settings = settings();
    var hosts = URI.create(settings.get("quarkus.redis.hosts"));
    var password = settings.get("quarkus.redis.password");
    return URI.create("redis://:%s@%s".formatted(password, hosts.getAuthority()));
  }

  /** The configuration that leads to the stores, as Quarkus names it. */
  public static Map<String, String> settings() {
    synchronized (System.getProperties()) {
      if (shared().isEmpty()) {
        startShared();
      }
      return shared();
    }
  }

  @Override
  public Map<String, String> start() {
    try {
      var settings = new HashMap<>(settings());
      var dataDir = Files.createTempDirectory(Path.of("target"), "test-data-");
      settings.put("fencepost.data-dir", dataDir.toString());
      settings.put("fencepost.admin.password", LoggedIn.ADMIN_PASSWORD);
      settings.put("fencepost.identity.password.memory-kib", "64");
      settings.put("fencepost.identity.password.iterations", "1");
      return settings;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The stores serve until the JVM ends, and end with it. */
  @Override
  public void stop() {}

  private static void startShared() {
    var stores = EmbeddedStores.bundled().orElseThrow().start(DIRECTORY, System.out::println);
    holdUntilTheEnd(stores);
    empty(stores.settings());
    stores.settings().forEach((name, value) -> System.setProperty(SHARED + name, value));
  }

  private static Map<String, String> shared() {
    return System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith(SHARED))
        .collect(Collectors.toMap(name -> name.substring(SHARED.length()), System::getProperty));
  }

  /**
   * Stores that are garbage are stopped. Closing them here would need a class loader that may be
   * closed.
   */
  @SuppressWarnings("ReachabilityFenceUsage") // the end of the JVM is the end of the scope
  private static void holdUntilTheEnd(RunningStores stores) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Reference.reachabilityFence(stores)));
  }

  private static void empty(Map<String, String> settings) {
    RedisByHand.of(settings).send("FLUSHALL");
    var login = new Properties();
    login.put("user", settings.get("quarkus.datasource.username"));
    login.put("password", settings.get("quarkus.datasource.password"));
    try (var connection = postgres().connect(settings.get("quarkus.datasource.jdbc.url"), login);
        var statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA public CASCADE");
      statement.execute("CREATE SCHEMA public");
    } catch (SQLException e) {
      throw new IllegalStateException("cannot empty the database", e);
    }
  }

  /** Not the driver manager: it does not see drivers from the class loaders of QuarkusTests. */
  private static Driver postgres() {
    try {
      return Class.forName("org.postgresql.Driver")
          .asSubclass(Driver.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the PostgreSQL driver is not on the class path", e);
    }
  }
}
