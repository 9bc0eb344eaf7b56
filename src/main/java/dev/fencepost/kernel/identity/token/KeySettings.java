package dev.fencepost.kernel.identity.token;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** Where the keys are that sign access tokens. */
@ConfigMapping(prefix = "fencepost.identity.keys")
interface KeySettings {

  /** A folder of PKCS#8 PEM private keys, {@code <kid>.pem}. Required outside embedded mode. */
  Optional<String> path();

  /** The {@code kid} that signs; unless set, the last by name. All of them verify. */
  Optional<String> active();
}
