package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Three replicas that start at once and find nothing agree on everything. */
class FirstStartIT {

  @Test
  void all_of_them_start_and_there_is_one_admin_whose_tokens_are_good_everywhere() {
    try (var postgres = new ChaosPostgres("first-start");
        var arena = Arena.with(postgres.settings(), "first-start", "a", "b", "c")) {
      assertThat(postgres.column("SELECT user_id, user_id FROM app_user"))
          .containsOnlyKeys("admin");
      assertThat(arena.redis().send("GET", "fencepost:lanes"))
          .hasToString(Integer.toString(Arena.lanes()));
      for (var giver : arena.replicas()) {
        var token = Tokens.ofAdmin(giver);
        for (var replica : arena.replicas()) {
          assertThat(Tokens.status(replica, token)).as(replica.name()).isEqualTo(200);
        }
      }
      var keys = arena.replicas().stream().map(Tokens::keysOf).distinct().toList();
      assertThat(keys).as("they publish the same keys").hasSize(1);
    }
  }
}
