package dev.fencepost.platform.outgoing;

import io.smallrye.config.ConfigMapping;
import java.util.List;
import java.util.Optional;

/** Which addresses a probe or webhook may reach. */
@ConfigMapping(prefix = "fencepost.probe")
interface ReachConfig {

  /**
   * CIDR ranges, e.g. {@code 10.0.0.0/8,127.0.0.0/8,fd00::/8}. {@link AddressGuard} has the rule.
   */
  Optional<List<String>> allow();
}
