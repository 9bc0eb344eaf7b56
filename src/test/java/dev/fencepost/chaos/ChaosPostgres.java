package dev.fencepost.chaos;

import dev.fencepost.RedisByHand;
import dev.fencepost.platform.embedded.EmbeddedStores;
import dev.fencepost.platform.embedded.RunningStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.postgresql.Driver;

/** A PostgreSQL of a scenario's own: it can be stopped and started again under one address. */
final class ChaosPostgres implements AutoCloseable {

  private static final String DATASOURCE = "quarkus.datasource.";
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(60);

  /** The class of SQL states that say that the statement is wrong. */
  private static final String MISTAKE = "42";

  private static final String ONLY_TLS = "hostssl all all 127.0.0.1/32 scram-sha-256\n";

  private final Path directory;
  private final Proxy proxy;
  private RunningStores stores;

  ChaosPostgres(String scenario) {
    try {
      var parent = Files.createDirectories(Path.of("target", "chaos"));
      directory = Files.createTempDirectory(parent, scenario + "-stores-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    stores = started();
    proxy = new Proxy(port());
  }

  private RunningStores started() {
    return EmbeddedStores.bundled().orElseThrow().start(directory, System.out::println);
  }

  private int port() {
    return URI.create(stores.settings().get(DATASOURCE + "reactive.url")).getPort();
  }

  /** Leads a replica here. */
  Map<String, String> settings() {
    var settings = new HashMap<String, String>();
    stores
        .settings()
        .forEach(
            (name, value) -> {
              if (name.startsWith(DATASOURCE)) {
                settings.put(name, value.replace(":" + port() + "/", ":" + proxy.port() + "/"));
              }
            });
    return settings;
  }

  /** Where replicas find it. */
  int proxyPort() {
    return proxy.port();
  }

  /** The Redis beside it only says where its program is. */
  Path redisProgram() {
    return RedisByHand.programOf(stores.settings());
  }

  /** Shows this certificate from now on, and turns away who wants to go without. */
  void speakOnlyTls(Path certificate, Path key) {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      var data = directory.resolve("postgres").toAbsolutePath();
      give(certificate, data.resolve("server.crt"));
      give(key, data.resolve("server.key"));
      Files.writeString(data.resolve("pg_hba.conf"), ONLY_TLS);
      statement.execute("ALTER SYSTEM SET ssl = on");
      statement.execute("SELECT pg_reload_conf()");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A key that others may read, or that is not its own, PostgreSQL does not take. */
  private static void give(Path file, Path to) throws IOException {
    Files.copy(file, to);
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rw-------"));
    Files.setOwner(to, Files.getOwner(to.getParent()));
  }

  /** The server ends, and is gone. */
  void stop() {
    stores.close();
    proxy.cut();
  }

  /** The same data again. */
  void start() {
    stores = started();
    proxy.leadTo(port());
  }

  /** Every connection but the one that says so. */
  void cut() {
    number(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            + " WHERE pid <> pg_backend_pid() AND datname = current_database()");
  }

  /**
   * One of its processes is killed, which might have spoiled the memory that they share: it ends
   * them all, and recovers from its log under the same address.
   */
  void crash() {
    Signal.KILL.to(number("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"));
  }

  /** One number, once PostgreSQL answers. */
  long number(String sql) {
    var answer = new AtomicReference<Long>();
    Patience.until("PostgreSQL answers", ANSWERS_WITHIN, () -> ask(sql, answer));
    return answer.get();
  }

  /** What a query says, its first column naming its second. */
  Map<String, String> column(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      var found = new HashMap<String, String>();
      while (rows.next()) {
        found.put(rows.getString(1), rows.getString(2));
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private boolean ask(String sql, AtomicReference<Long> answer) {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      answer.set(rows.getLong(1));
      return true;
    } catch (SQLException e) {
      if (e.getSQLState() != null && e.getSQLState().startsWith(MISTAKE)) {
        throw new IllegalStateException(sql, e);
      }
      return false;
    }
  }

  Connection connect() throws SQLException {
    var login = new Properties();
    login.put("user", stores.settings().get(DATASOURCE + "username"));
    login.put("password", stores.settings().get(DATASOURCE + "password"));
    return new Driver().connect(stores.settings().get(DATASOURCE + "jdbc.url"), login);
  }

  @Override
  public void close() {
    stores.close();
    try {
      proxy.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
