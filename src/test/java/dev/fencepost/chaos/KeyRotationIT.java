package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A new key takes over as docs/identity.md says, and nobody is logged out. */
class KeyRotationIT {

  private static final String FOLDER = "fencepost.identity.keys.path";
  private static final String ACTIVE = "fencepost.identity.keys.active";
  private static final String OLD = "2026-11";
  private static final String NEW = "2026-12";
  private static final Duration DRAIN = Duration.ofSeconds(30);

  @Test
  void both_replicas_take_tokens_of_both_keys_until_the_old_one_is_removed() throws IOException {
    var folder = Files.createTempDirectory(Path.of("target"), "rotated-keys-").toAbsolutePath();
    SharedKey.write(folder.resolve(OLD + ".pem"));
    var settings = new HashMap<>(Map.of(FOLDER, folder.toString(), ACTIVE, OLD));
    try (var arena = Arena.with(settings, "rotation", "a", "b")) {
      var a = arena.replicas().get(0);
      var b = arena.replicas().get(1);
      Tokens.createUser(a, "rotated");
      var old = Tokens.of(a, "rotated");
      assertThat(Tokens.keyOf(old)).isEqualTo(OLD);

      SharedKey.write(folder.resolve(NEW + ".pem"));
      restart(a);
      assertThat(Tokens.keysOf(a)).containsExactlyInAnyOrder(OLD, NEW);
      assertThat(Tokens.keyOf(Tokens.of(a, "rotated"))).as("not yet").isEqualTo(OLD);
      restart(b);

      a.set(ACTIVE, NEW);
      restart(a);
      var fresh = Tokens.of(a, "rotated");
      assertThat(Tokens.keyOf(fresh)).isEqualTo(NEW);
      isGood(b, fresh);
      isGood(a, old);
      var meanwhile = Tokens.of(b, "rotated");
      assertThat(Tokens.keyOf(meanwhile)).as("b was not restarted").isEqualTo(OLD);
      isGood(a, meanwhile);

      b.set(ACTIVE, NEW);
      restart(b);
      assertThat(Tokens.keyOf(Tokens.of(b, "rotated"))).isEqualTo(NEW);
      for (var replica : arena.replicas()) {
        assertThat(Tokens.keysOf(replica)).containsExactlyInAnyOrder(OLD, NEW);
        isGood(replica, old);
        isGood(replica, fresh);
      }

      Files.delete(folder.resolve(OLD + ".pem"));
      restart(a);
      assertThat(Tokens.status(a, old)).as("its key is gone").isEqualTo(401);
      isGood(a, fresh);
    }
  }

  private static void restart(ServiceProcess replica) {
    replica.terminate(DRAIN);
    replica.start();
    replica.awaitReady();
  }

  private static void isGood(ServiceProcess at, String token) {
    assertThat(Tokens.status(at, token)).as("at " + at.name()).isEqualTo(200);
  }
}
