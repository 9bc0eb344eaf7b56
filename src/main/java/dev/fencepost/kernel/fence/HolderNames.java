package dev.fencepost.kernel.fence;

import dev.fencepost.platform.time.Entropy;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Names executions, so that a lease and a log line say who holds. */
@ApplicationScoped
public class HolderNames {

  private final String instance;
  private final Entropy entropy;

  HolderNames(
      @ConfigProperty(name = "fencepost.instance", defaultValue = "${HOSTNAME:local}")
          String instance,
      Entropy entropy) {
    this.instance = instance;
    this.entropy = entropy;
  }

  /** A fresh {@code <pod>/<ulid>}. */
  public String next() {
    return instance + "/" + entropy.freshId();
  }
}
