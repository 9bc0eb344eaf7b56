package dev.fencepost.platform.embedded;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Decides on the stores and makes them ready, before Quarkus reads its configuration. What was
 * decided is published as system properties, {@code fencepost.embedded} among them.
 */
public final class OpenStores {

  private static final String EMBEDDED = "fencepost.embedded";
  private static final String REDIS = "quarkus.redis.hosts";
  private static final String JDBC = "quarkus.datasource.jdbc.url";
  private static final String REACTIVE = "quarkus.datasource.reactive.url";
  private static final String JDBC_SCHEME = "jdbc:";

  private OpenStores() {}

  /**
   * Reads every source that Quarkus reads: system properties, environment, {@code .env}, {@code
   * config/application.properties} and the packaged defaults.
   *
   * @throws StoresUnavailable when there is nothing to run on
   */
  public static RunningStores open(Consumer<String> log) {
    var config = ConfigUtils.configBuilder().build();
    return switch (choose(config)) {
      case EMBEDDED -> published(embedded(config, log));
      case OUTSIDE -> published(new OutsideStores(outside(config)));
    };
  }

  static StoresChoice choose(SmallRyeConfig config) {
    return StoresChoice.of(
        config.getOptionalValue(EMBEDDED, Boolean.class),
        text(config, REDIS).isPresent(),
        config.getProfiles());
  }

  /** Settings that follow from what the operator named, where Quarkus would ask for them twice. */
  static Map<String, String> outside(SmallRyeConfig config) {
    requireAll(config, REDIS, JDBC);
    var settings = new HashMap<>(Map.of(EMBEDDED, "false"));
    if (text(config, REACTIVE).isEmpty()) {
      settings.put(REACTIVE, reactive(config.getValue(JDBC, String.class)));
    }
    return settings;
  }

  private static RunningStores embedded(SmallRyeConfig config, Consumer<String> log) {
    var stores =
        EmbeddedStores.bundled()
            .orElseThrow(
                () ->
                    new StoresUnavailable(
                        "this build has no embedded stores; set %s and %s".formatted(REDIS, JDBC)));
    text(config, REDIS)
        .ifPresent(hosts -> log.accept("%s is on: %s is not used".formatted(EMBEDDED, REDIS)));
    return stores.start(Path.of(config.getValue("fencepost.data-dir", String.class)), log);
  }

  /** A JDBC URL with parameters is not taken apart: a driver's parameters are its own. */
  private static String reactive(String jdbc) {
    if (!jdbc.startsWith(JDBC_SCHEME) || jdbc.contains("?")) {
      throw new StoresUnavailable(
          "%s is not set, and does not follow from %s".formatted(REACTIVE, JDBC));
    }
    return jdbc.substring(JDBC_SCHEME.length());
  }

  private static void requireAll(SmallRyeConfig config, String... names) {
    var missing = Stream.of(names).filter(name -> text(config, name).isEmpty()).toList();
    if (!missing.isEmpty()) {
      throw new StoresUnavailable(
          "embedded stores are off and not set: %s; set that, or %s=true"
              .formatted(String.join(", ", missing), EMBEDDED));
    }
  }

  private static Optional<String> text(SmallRyeConfig config, String name) {
    return config.getOptionalValue(name, String.class);
  }

  private static RunningStores published(RunningStores stores) {
    stores.settings().forEach(System::setProperty);
    return new PublishedStores(stores);
  }

  /** Stores of somebody else: nothing to stop. */
  private record OutsideStores(Map<String, String> settings) implements RunningStores {

    @Override
    public void close() {}
  }

  /**
   * Takes the settings back when the stores are gone, so that a reload in the same JVM decides
   * anew.
   */
  private record PublishedStores(RunningStores stores) implements RunningStores {

    @Override
    public Map<String, String> settings() {
      return stores.settings();
    }

    @Override
    public void close() {
      stores.close();
      stores.settings().keySet().forEach(System::clearProperty);
    }
  }
}
