package dev.fencepost.bench;

import dev.fencepost.platform.embedded.EmbeddedStores;
import dev.fencepost.platform.embedded.RunningStores;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The Redis and the PostgreSQL that all sides share: the bundled ones, emptied. */
final class Stores implements AutoCloseable {

  private static final Path DIRECTORY = Path.of("target", "bench", "stores");
  private static final long POLL_MILLIS = 100;

  private final RunningStores running;

  Stores() {
    running = EmbeddedStores.bundled().orElseThrow().start(DIRECTORY, System.out::println);
    empty();
  }

  int redisPort() {
    return URI.create(running.settings().get("quarkus.redis.hosts")).getPort();
  }

  String redisPassword() {
    return running.settings().get("quarkus.redis.password");
  }

  Resp resp() {
    return new Resp(redisPort(), redisPassword());
  }

  /** What a service needs to run on them as on stores of somebody else. */
  Map<String, String> settings() {
    var settings = new HashMap<>(running.settings());
    settings.put("fencepost.embedded", "false");
    return settings;
  }

  String redisVersion() {
    try (var redis = resp()) {
      return ServerTime.fields(redis, "server").get("redis_version");
    }
  }

  void empty() {
    try (var redis = resp()) {
      redis.send("FLUSHALL");
      redis.send("CONFIG", "SET", "appendonly", "yes");
      redis.send("CONFIG", "SET", "appendfsync", "everysec");
      // Long scenarios would rewrite the file in the middle of a round.
      redis.send("CONFIG", "SET", "auto-aof-rewrite-percentage", "0");
      redis.send("BGREWRITEAOF");
    }
    awaitRewrite();
  }

  void fsync(String policy) {
    try (var redis = resp()) {
      redis.send("CONFIG", "SET", "appendfsync", policy);
    }
  }

  /** Off while a million things are loaded; on writes them all out. */
  void appendOnly(boolean on) {
    try (var redis = resp()) {
      redis.send("CONFIG", "SET", "appendonly", on ? "yes" : "no");
    }
    awaitRewrite();
  }

  /**
   * Redis moves its keys, a few with each command, for half a minute after their number has passed
   * a power of two. What is measured then is that.
   */
  void awaitRehash() {
    try (var redis = resp()) {
      redis.send("CONFIG", "SET", "hz", "500"); // a millisecond of moving at each beat
      for (var i = 0; i < 60; i++) {
        if (!redis.text("DEBUG", "HTSTATS", "0").contains("rehashing target")) {
          redis.send("CONFIG", "SET", "hz", "10");
          return;
        }
        Thread.sleep(1_000);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException("Redis is still moving its keys");
  }

  private void awaitRewrite() {
    try (var redis = resp()) {
      for (var i = 0; i < 1200; i++) {
        var state = ServerTime.fields(redis, "persistence");
        if ("0".equals(state.get("aof_rewrite_in_progress"))
            && "0".equals(state.get("aof_rewrite_scheduled"))) {
          return;
        }
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException("the append-only file is still being rewritten");
  }

  @Override
  public void close() {
    running.close();
  }
}
