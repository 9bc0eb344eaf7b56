package dev.fencepost.kernel.identity.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What is computed for a login, and for whom. */
@QuarkusTest
class CheckPasswordTest {

  private static final String PASSWORD = "correct horse battery";
  private static final Duration SOON = Duration.ofSeconds(20);

  @Inject UserStore users;
  @Inject SlowWork slowWork;
  @Inject PasswordSettings today;
  @Inject Entropy entropy;

  private final String user = "u-" + UUID.randomUUID();

  /** Each hash that is computed, by what it costs: time is the same if these are. */
  private static final class Counted extends Passwords {

    private static final List<Cost> COMPUTED = new CopyOnWriteArrayList<>();

    Counted(PasswordSettings settings, Entropy entropy) {
      super(settings, entropy);
      COMPUTED.clear(); // but for its decoy
    }

    @Override
    byte[] argon2(String password, byte[] salt, Cost cost, int length) {
      COMPUTED.add(cost);
      return super.argon2(password, salt, cost, length);
    }
  }

  @Test
  void a_wrong_password_costs_what_an_unknown_user_does_one_hash_of_today() {
    create(new Passwords(today, entropy).hash(PASSWORD));
    var once =
        List.of(new Passwords.Cost(today.memoryKib(), today.iterations(), today.parallelism()));
    assertThat(costOf(user, "wrong guess")).isEqualTo(once);
    assertThat(costOf("nobody-" + UUID.randomUUID(), "wrong guess")).isEqualTo(once);
    assertThat(costOf("no user id", "wrong guess")).isEqualTo(once);
    assertThat(costOf(user, "x".repeat(CheckPassword.MAX_LENGTH + 1))).isEqualTo(once);
    assertThat(costOf(user, PASSWORD)).as("the right one").isEqualTo(once);
  }

  @Test
  void a_deleted_user_costs_the_same_as_one_that_never_was() {
    create(new Passwords(today, entropy).hash(PASSWORD));
    users.delete(user).await().atMost(SOON);
    assertThat(costOf(user, PASSWORD)).isEqualTo(costOf("nobody-" + UUID.randomUUID(), PASSWORD));
  }

  @Test
  void a_login_keeps_its_password_at_todays_cost_once_that_has_grown() {
    var old = new Passwords(PasswordsTest.cost(today.memoryKib() / 2, 1), entropy).hash(PASSWORD);
    create(old);
    assertThat(check(user, "wrong guess")).isEmpty();
    assertThat(hash()).as("a stranger changes nothing").isEqualTo(old);
    assertThat(check(user, PASSWORD)).isPresent();
    var renewed = hash();
    assertThat(renewed)
        .startsWith(
            "$argon2id$v=19$m=%d,t=%d,p=%d$"
                .formatted(today.memoryKib(), today.iterations(), today.parallelism()));
    assertThat(check(user, PASSWORD)).as("the same password").isPresent();
    assertThat(hash()).as("once is enough").isEqualTo(renewed);
    assertThat(check(user, "wrong guess")).isEmpty();
  }

  private void create(String hash) {
    users.create(user, UserKind.PERSON, hash, Set.of(Permission.ASSETS_READ)).await().atMost(SOON);
  }

  private String hash() {
    return users.credentials(user).await().atMost(SOON).orElseThrow().passwordHash();
  }

  private Optional<User> check(String userId, String password) {
    return new CheckPassword(users, new Passwords(today, entropy), slowWork)
        .check(userId, password)
        .await()
        .atMost(SOON);
  }

  private List<Passwords.Cost> costOf(String userId, String password) {
    var check = new CheckPassword(users, new Counted(today, entropy), slowWork);
    check.check(userId, password).await().atMost(SOON);
    return List.copyOf(Counted.COMPUTED);
  }
}
