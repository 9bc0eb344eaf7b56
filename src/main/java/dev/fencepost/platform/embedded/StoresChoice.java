package dev.fencepost.platform.embedded;

import java.util.Collection;
import java.util.Optional;

/** Whose stores this process runs on. */
public enum StoresChoice {
  /** Its own, started and stopped with it. */
  EMBEDDED,
  /** Somebody else's, which configuration names. */
  OUTSIDE;

  /** The profile of a cluster, where a process must not keep its own data. */
  private static final String CLUSTER_PROFILE = "kubernetes";

  /**
   * An explicit setting wins. Without one, stores are embedded unless Redis is named or the profile
   * is {@code kubernetes}.
   *
   * @param embedded {@code fencepost.embedded}, when it is set
   * @param redisNamed whether {@code quarkus.redis.hosts} is set
   */
  public static StoresChoice of(
      Optional<Boolean> embedded, boolean redisNamed, Collection<String> profiles) {
    var wanted = embedded.orElse(!redisNamed && !profiles.contains(CLUSTER_PROFILE));
    return wanted ? EMBEDDED : OUTSIDE;
  }
}
