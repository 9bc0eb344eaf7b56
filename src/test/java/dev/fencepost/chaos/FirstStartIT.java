package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Three replicas that start at once and find nothing agree on everything. */
class FirstStartIT {

  @Test
  void all_of_them_start_and_there_is_one_admin_whose_tokens_are_good_everywhere()
      throws SQLException {
    try (var arena = Arena.withLedger("first-start", "a", "b", "c")) {
      assertThat(users()).containsExactly("admin");
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

  private static List<String> users() throws SQLException {
    try (var database = Arena.database();
        var statement = database.createStatement();
        var rows = statement.executeQuery("SELECT user_id FROM app_user")) {
      var users = new ArrayList<String>();
      while (rows.next()) {
        users.add(rows.getString(1));
      }
      return users;
    }
  }
}
