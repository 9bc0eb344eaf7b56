package dev.fencepost.chaos;

import dev.fencepost.platform.embedded.EmbeddedStores;
import dev.fencepost.platform.embedded.RunningStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.postgresql.Driver;

/** A PostgreSQL of a scenario's own: it can be stopped and started again under one address. */
final class ChaosPostgres implements AutoCloseable {

  private static final String DATASOURCE = "quarkus.datasource.";

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
