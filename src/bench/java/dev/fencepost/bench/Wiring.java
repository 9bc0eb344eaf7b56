package dev.fencepost.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.fencepost.platform.http.JsonShape;
import dev.fencepost.platform.redis.RedisRoad;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The product's own classes, put together without a container: each by its constructor, with the
 * settings and defaults it has in the service. So what is measured is the product and no copy.
 */
public final class Wiring implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();
  private final Map<String, String> settings;
  private final Map<Class<?>, Object> made = new HashMap<>();

  /**
   * Of classes that reach this Redis.
   *
   * @param settings what differs from the defaults
   */
  public Wiring(int redisPort, String password, Map<String, String> settings) {
    this.settings = new HashMap<>(settings);
    this.settings.put("fencepost.instance", "bench");
    // A machine that stalls makes a round slow; it must not end it.
    this.settings.put("fencepost.redis.timeout", "30s");
    var options =
        new RedisOptions()
            .setConnectionString("redis://127.0.0.1:" + redisPort)
            .setPassword(password)
            .setMaxPoolSize(64)
            .setMaxWaitingHandlers(8192);
    made.put(Vertx.class, vertx);
    made.put(io.vertx.mutiny.core.Vertx.class, new io.vertx.mutiny.core.Vertx(vertx));
    made.put(Redis.class, Redis.createClient(new io.vertx.mutiny.core.Vertx(vertx), options));
    made.put(List.class, List.of()); // no device is connected, so no channel to it either
    made.put(MeterRegistry.class, new SimpleMeterRegistry());
    made.put(
        ObjectMapper.class,
        JsonShape.apply(
            new ObjectMapper().registerModules(new Jdk8Module(), new JavaTimeModule())));
    made.put(RedisRoad.class, get(named("dev.fencepost.platform.redis.PipelinedRoad")));
  }

  public Vertx vertx() {
    return vertx;
  }

  /** The one object of a class; made, with all it needs, when it is first asked for. */
  public <T> T get(Class<T> type) {
    var known = made.get(type);
    if (known == null) {
      known = type.isAnnotationPresent(ConfigMapping.class) ? mapping(type) : construct(type);
      made.put(type, known);
    }
    return type.cast(known);
  }

  private <T> T mapping(Class<T> type) {
    return config(type).getConfigMapping(type);
  }

  private SmallRyeConfig config(Class<?> mapping) {
    return ConfigUtils.configBuilder()
        .withSources(new PropertiesConfigSource(settings, "bench", 1000))
        .withMapping(mapping)
        .build();
  }

  private Object construct(Class<?> type) {
    try {
      var constructor =
          Arrays.stream(type.getDeclaredConstructors())
              .max(Comparator.comparingInt(c -> c.getParameterCount()))
              .orElseThrow(() -> new IllegalStateException("cannot make " + type));
      constructor.setAccessible(true);
      return constructor.newInstance(
          Arrays.stream(constructor.getParameters()).map(this::argument).toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + type, e);
    }
  }

  private Object argument(Parameter parameter) {
    var property = parameter.getAnnotation(ConfigProperty.class);
    if (property == null) {
      return get(parameter.getType());
    }
    var text = settings.getOrDefault(property.name(), property.defaultValue());
    return parameter.getType() == int.class ? (Object) Integer.valueOf(text) : text;
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
