package dev.fencepost.kernel.identity.token;

import dev.fencepost.platform.time.Entropy;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Our keys: one signs, all verify. */
@Startup // without a key nobody gets in, and that should show at start
@ApplicationScoped
public class SigningKeys {

  private static final Logger LOG = Logger.getLogger(SigningKeys.class);

  private final Map<String, SigningKey> keys = new LinkedHashMap<>();
  private final SigningKey active;

  SigningKeys(
      KeySettings settings,
      Entropy entropy,
      @ConfigProperty(name = "fencepost.embedded", defaultValue = "false") boolean embedded,
      @ConfigProperty(name = "fencepost.data-dir") Path dataDir) {
    var folder = settings.path().map(Path::of).orElseGet(() -> own(dataDir, embedded, entropy));
    KeyFolder.read(folder).forEach(key -> keys.put(key.kid(), key));
    if (keys.isEmpty()) {
      throw new IllegalStateException("there is no <kid>.pem in " + folder);
    }
    active = choose(settings, folder);
    LOG.infof("access tokens are signed with key %s; known keys: %s", active.kid(), keys.keySet());
  }

  private SigningKey choose(KeySettings settings, Path folder) {
    var kid = settings.active().orElseGet(() -> last(keys));
    var chosen = keys.get(kid);
    if (chosen == null) {
      throw new IllegalStateException(
          "fencepost.identity.keys.active is %s, but %s has %s"
              .formatted(kid, folder, keys.keySet()));
    }
    return chosen;
  }

  SigningKey active() {
    return active;
  }

  /** All of them, by {@code kid}. */
  Map<String, SigningKey> all() {
    return keys;
  }

  private static Path own(Path dataDir, boolean embedded, Entropy entropy) {
    if (!embedded) {
      throw new IllegalStateException(
          "fencepost.identity.keys.path is not set: it names the folder of the private keys that"
              + " sign access tokens, <kid>.pem, the same for all replicas");
    }
    var folder = dataDir.resolve("keys");
    if (!Files.isDirectory(folder) || KeyFolder.read(folder).isEmpty()) {
      KeyFolder.make(folder, entropy.freshId());
    }
    return folder;
  }

  private static String last(Map<String, SigningKey> keys) {
    return keys.keySet().stream().reduce((earlier, later) -> later).orElseThrow();
  }
}
