package dev.fencepost.kernel.identity.user;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.platform.time.Entropy;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** Hashes passwords with Argon2id and checks them. Slow on purpose: not for an event loop. */
@ApplicationScoped
class Passwords {

  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final Pattern PHC =
      Pattern.compile(
          "\\$argon2id\\$v=19\\$m=(\\d+),t=(\\d+),p=(\\d+)\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");

  private final PasswordSettings settings;
  private final Entropy entropy;
  private final String decoy;

  Passwords(PasswordSettings settings, Entropy entropy) {
    this.settings = settings;
    this.entropy = entropy;
    this.decoy = hash(Base64.getEncoder().encodeToString(entropy.freshBytes(HASH_BYTES)));
  }

  /** The hash of a new password in PHC form, with a salt of its own. */
  String hash(String password) {
    var cost = new Cost(settings.memoryKib(), settings.iterations(), settings.parallelism());
    var salt = entropy.freshBytes(SALT_BYTES);
    return "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
        .formatted(
            cost.memoryKib,
            cost.iterations,
            cost.parallelism,
            text(salt),
            text(argon2(password, salt, cost, HASH_BYTES)));
  }

  /** Whether a password is the one that was hashed. */
  boolean matches(String password, String hash) {
    var known = PHC.matcher(hash);
    if (!known.matches()) {
      return false;
    }
    var expected = Base64.getDecoder().decode(known.group(5));
    var salt = Base64.getDecoder().decode(known.group(4));
    return MessageDigest.isEqual(
        expected,
        argon2(
            password,
            salt,
            new Cost(number(known.group(1)), number(known.group(2)), number(known.group(3))),
            expected.length));
  }

  /** A hash that no password has: checking against it takes as long as any check. */
  String decoy() {
    return decoy;
  }

  /** Whether a hash was made at another cost than hashes are made now. */
  boolean isOutdated(String hash) {
    return !hash.startsWith(
        "$argon2id$v=19$m=%d,t=%d,p=%d$"
            .formatted(settings.memoryKib(), settings.iterations(), settings.parallelism()));
  }

  /** What one hash costs. */
  record Cost(int memoryKib, int iterations, int parallelism) {}

  /** The one place where a hash is computed. */
  byte[] argon2(String password, byte[] salt, Cost cost, int length) {
    var generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(cost.memoryKib)
            .withIterations(cost.iterations)
            .withParallelism(cost.parallelism)
            .withSalt(salt)
            .build());
    var hash = new byte[length];
    generator.generateBytes(password.getBytes(UTF_8), hash);
    return hash;
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().withoutPadding().encodeToString(bytes);
  }
}
