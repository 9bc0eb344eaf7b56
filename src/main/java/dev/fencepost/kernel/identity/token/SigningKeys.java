package dev.fencepost.kernel.identity.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.platform.time.Entropy;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Our keys: one signs, all verify. */
@Startup // without a key nobody gets in, and that should show at start
@ApplicationScoped
public class SigningKeys {

  private static final Logger LOG = Logger.getLogger(SigningKeys.class);

  private final Map<String, SigningKey> keys = new LinkedHashMap<>();
  private final SigningKey active;
  private final Path folder;

  SigningKeys(
      KeySettings settings,
      Entropy entropy,
      @ConfigProperty(name = "fencepost.embedded", defaultValue = "false") boolean embedded,
      @ConfigProperty(name = "fencepost.data-dir") Path dataDir) {
    folder = settings.path().map(Path::of).orElseGet(() -> own(dataDir, embedded, entropy));
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

  /** The name of the key that signs. */
  public String activeKid() {
    return active.kid();
  }

  /**
   * An RS256 signature by the key that signs, over the text in UTF-8; base64url without padding.
   * Takes a millisecond of CPU.
   */
  public String sign(String text) {
    try {
      var signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(active.secret());
      signature.update(text.getBytes(UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key " + active.kid() + " does not sign", e);
    }
  }

  /**
   * The public half of a key, as base64 of its SubjectPublicKeyInfo; empty if there is none of that
   * name. Looks into the folder for one that another replica signs with already, so it may block.
   */
  public Optional<String> publicKeyOf(String kid) {
    var known = keys.get(kid);
    return known == null
        ? Optional.ofNullable(publicKeysIn(folder).get(kid))
        : Optional.of(text(known));
  }

  /** The public halves of all keys in a folder, by name. Blocks. */
  public static Map<String, String> publicKeysIn(Path folder) {
    return KeyFolder.read(folder).stream()
        .collect(Collectors.toMap(SigningKey::kid, SigningKeys::text));
  }

  private static String text(SigningKey key) {
    return Base64.getEncoder().encodeToString(key.open().getEncoded());
  }

  private static Path own(Path dataDir, boolean embedded, Entropy entropy) {
    if (!embedded) {
      throw new IllegalStateException(
          "fencepost.identity.keys.path is not set: it names the folder of the private keys that"
              + " sign access tokens, <kid>.pem, the same for all replicas");
    }
    var folder = dataDir.resolve("keys");
    if (!Files.isDirectory(folder) || KeyFolder.read(folder).isEmpty()) {
      KeyFolder.makeFirst(folder, entropy.freshId());
    }
    return folder;
  }

  private static String last(Map<String, SigningKey> keys) {
    return keys.keySet().stream().reduce((earlier, later) -> later).orElseThrow();
  }
}
