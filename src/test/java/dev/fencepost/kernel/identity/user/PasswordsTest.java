package dev.fencepost.kernel.identity.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.platform.time.Entropy;
import java.util.Arrays;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.junit.jupiter.api.Test;

class PasswordsTest {

  private final Passwords passwords = at(64, 1);

  @Test
  void a_hash_matches_its_password_and_no_other() {
    var hash = passwords.hash("päßword");
    assertThat(hash).startsWith("$argon2id$v=19$m=64,t=1,p=1$").doesNotContain("päßword");
    assertThat(passwords.matches("päßword", hash)).isTrue();
    assertThat(passwords.matches("password", hash)).isFalse();
    assertThat(passwords.matches("", hash)).isFalse();
  }

  @Test
  void equal_passwords_have_different_hashes() {
    assertThat(passwords.hash("same")).isNotEqualTo(passwords.hash("same"));
  }

  @Test
  void a_hash_of_an_older_cost_is_good_and_known_to_be_outdated() {
    var old = passwords.hash("secret");
    var now = at(128, 2);
    assertThat(now.matches("secret", old)).isTrue();
    assertThat(now.isOutdated(old)).isTrue();
    assertThat(now.isOutdated(now.hash("secret"))).isFalse();
  }

  @Test
  void the_decoy_and_a_removed_hash_match_nothing() {
    assertThat(passwords.matches("", passwords.decoy())).isFalse();
    assertThat(passwords.matches("", "")).isFalse();
  }

  /** RFC 9106, section 5.3, is computed by the same library with the same type and version. */
  @Test
  void the_library_computes_argon2id() {
    var generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(32)
            .withIterations(3)
            .withParallelism(4)
            .withSalt(filled(16, 2))
            .withSecret(filled(8, 3))
            .withAdditional(filled(12, 4))
            .build());
    var tag = new byte[32];
    generator.generateBytes(filled(32, 1), tag);
    assertThat(tag)
        .asHexString()
        .isEqualToIgnoringCase("0D640DF58D78766C08C037A34A8B53C9D01EF0452D75B65EB52520E96B01E659");
  }

  private static byte[] filled(int length, int value) {
    var bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static Passwords at(int memoryKib, int iterations) {
    return new Passwords(cost(memoryKib, iterations), new Entropy());
  }

  static PasswordSettings cost(int memoryKib, int iterations) {
    return new PasswordSettings() {
      @Override
      public int memoryKib() {
        return memoryKib;
      }

      @Override
      public int iterations() {
        return iterations;
      }

      @Override
      public int parallelism() {
        return 1;
      }

      @Override
      public int minLength() {
        return 8;
      }

      @Override
      public int threads() {
        return 1;
      }

      @Override
      public int maxWaiting() {
        return 1;
      }
    };
  }
}
