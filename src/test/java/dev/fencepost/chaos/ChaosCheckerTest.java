package dev.fencepost.chaos;

import static dev.fencepost.chaos.Told.TICKET;
import static dev.fencepost.chaos.Told.goodDay;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker must bite: each test breaks one promise in an otherwise sound history. */
class ChaosCheckerTest {

  @Test
  void a_good_day_breaks_nothing() {
    assertThat(broken(goodDay())).isEmpty();
  }

  @Test
  void a_bad_day_that_ends_well_breaks_nothing() {
    assertThat(
            broken(
                online()
                    .resumed(20)
                    .refused(10, 20, "a/1", "STALE_TOKEN")
                    .rest(20)
                    .seen(TICKET, "FINISHED", 20, 7, 1)))
        .isEmpty();
  }

  @Test
  void a_retry_and_a_correction_breaks_nothing() {
    assertThat(
            broken(
                online()
                    .path(10, "a/1", "ASSET_ONLINE", "FAILED")
                    .retried(10, "ASSET_ONLINE")
                    .resumed(20)
                    .corrected(30, "ASSET_ONLINE", "FAILED")
                    .refused(20, 30, "b/20", "STALE_TOKEN")
                    .seen(TICKET, "FAILED", 30, 5, 1)))
        .isEmpty();
  }

  @Test
  void a_repeated_call_by_a_successor_and_a_late_call_break_nothing() {
    var history =
        notifying()
            .called(TICKET + ":ops", 10)
            .resumed(20)
            .recorded(20, "b/20", "NOTIFYING")
            .called(TICKET + ":ops", 20)
            .path(20, "b/20", "NOTIFYING", "NOTIFIED", "FINISHED")
            .seen(TICKET, "FINISHED", 20, 7, 0);
    assertThat(broken(history)).isEmpty();
    assertThat(CallChecker.late(history.history().calls())).isZero();
    assertThat(CallChecker.late(List.of(new Call("k", 20, 1), new Call("k", 10, 2)))).isOne();
  }

  @Test
  void s1_a_write_with_an_older_token_was_accepted() {
    assertThat(broken(online().resumed(20).path(10, "a/1", "ASSET_ONLINE", "VULN_CHECK_DONE")))
        .contains("S1");
  }

  @Test
  void s1_a_write_with_a_token_that_nobody_was_granted_was_accepted() {
    assertThat(broken(online().path(99, "a/1", "ASSET_ONLINE", "FAILED"))).contains("S1");
  }

  @Test
  void s1_a_write_by_another_holder_was_accepted() {
    assertThat(broken(online().path(10, "x/1", "ASSET_ONLINE", "FAILED"))).contains("S1");
  }

  @Test
  void s1_a_note_with_an_older_token_was_accepted() {
    assertThat(broken(online().resumed(20).recorded(10, "a/1", "ASSET_ONLINE"))).contains("S1");
  }

  @Test
  void s2_a_token_did_not_rise() {
    assertThat(broken(online().resumed(10))).contains("S2");
    assertThat(broken(goodDay().opened("t0-2", 10, "a/2").seen("t0-2", "INIT", 10, 1, 0)))
        .contains("S2");
    assertThat(broken(goodDay().corrected(9, "FINISHED", "FAILED"))).contains("S2");
  }

  @Test
  void s3_an_edge_was_taken_that_does_not_exist() {
    assertThat(broken(online().path(10, "a/1", "ASSET_ONLINE", "NOTIFYING"))).contains("S3");
  }

  @Test
  void s3_a_move_began_elsewhere() {
    assertThat(broken(online().path(10, "a/1", "VULN_CHECK_DONE", "FINISHED"))).contains("S3");
  }

  @Test
  void s3_something_was_written_after_the_end() {
    assertThat(broken(goodDay().recorded(10, "a/1", "FINISHED"))).containsOnly("S3");
    assertThat(broken(goodDay().path(10, "a/1", "FINISHED", "FAILED"))).contains("S3");
    assertThat(broken(goodDay().resumed(20))).contains("S3");
  }

  @Test
  void s3_a_ticket_that_had_not_failed_was_retried() {
    assertThat(broken(goodDay().retried(10, "INIT"))).contains("S3");
  }

  @Test
  void s4_an_asset_had_two_unfinished_tickets() {
    assertThat(broken(online().opened("t0-2", 30, "b/2").seen("t0-2", "INIT", 30, 1, 0)))
        .contains("S4");
  }

  @Test
  void s5_the_key_of_a_call_changed() {
    assertThat(broken(goodDay().called(TICKET + ":again", 10))).contains("S5");
  }

  @Test
  void s5_a_call_was_made_twice_under_one_token() {
    assertThat(broken(goodDay().called(TICKET + ":ops", 10))).containsOnly("S5");
  }

  @Test
  void s5_a_call_was_made_before_it_was_written_down() {
    assertThat(broken(online().called(TICKET + ":ops", 10).rest(10))).contains("S5");
  }

  @Test
  void s5_a_call_carried_a_token_that_nobody_was_granted() {
    assertThat(broken(goodDay().called(TICKET + ":ops", 5))).contains("S5");
  }

  @Test
  void s5_a_call_was_repeated_though_its_outcome_was_recorded() {
    assertThat(
            broken(
                notifying()
                    .called(TICKET + ":ops", 10)
                    .path(10, "a/1", "NOTIFYING", "NOTIFIED")
                    .resumed(20)
                    .called(TICKET + ":ops", 20)))
        .contains("S5");
  }

  @Test
  void s5_a_ticket_says_someone_was_told_but_nobody_was_called() {
    assertThat(
            broken(
                notifying()
                    .path(10, "a/1", "NOTIFYING", "NOTIFIED", "FINISHED")
                    .seen(TICKET, "FINISHED", 10, 7, 0)))
        .containsOnly("S5");
  }

  @Test
  void s5_a_call_belongs_to_no_ticket() {
    assertThat(broken(goodDay().called("t0-9:ops", 10))).containsOnly("S5");
  }

  @Test
  void s8_the_ticket_says_something_else_than_its_history() {
    assertThat(broken(goodDay().seen(TICKET, "FAILED", 10, 7, 0))).containsOnly("S8");
    assertThat(broken(goodDay().seen(TICKET, "FINISHED", 11, 7, 0))).containsOnly("S8");
    assertThat(broken(goodDay().seen(TICKET, "FINISHED", 10, 8, 0))).containsOnly("S8");
    assertThat(broken(goodDay().seen(TICKET, "FINISHED", 10, 7, 1))).containsOnly("S8");
    assertThat(broken(goodDay().seen("t0-2", "FINISHED", 10, 7, 1))).contains("S8");
  }

  @Test
  void s8_a_holder_was_refused_twice() {
    assertThat(
            broken(
                online()
                    .resumed(20)
                    .refused(10, 20, "a/1", "STALE_TOKEN")
                    .refused(10, 20, "a/1", "STALE_TOKEN")
                    .rest(20)
                    .seen(TICKET, "FINISHED", 20, 7, 2)))
        .containsOnly("S8");
  }

  @Test
  void s8_the_newest_right_was_refused() {
    assertThat(
            broken(
                online()
                    .refused(10, 10, "a/1", "STALE_TOKEN")
                    .rest(10)
                    .seen(TICKET, "FINISHED", 10, 7, 1)))
        .containsOnly("S8");
  }

  @Test
  void s8_a_refusal_names_another_newest_token() {
    assertThat(
            broken(
                online()
                    .resumed(20)
                    .refused(10, 15, "a/1", "STALE_TOKEN")
                    .rest(20)
                    .seen(TICKET, "FINISHED", 20, 7, 1)))
        .containsOnly("S8");
  }

  @Test
  void l1_a_ticket_did_not_come_to_an_end() {
    assertThat(broken(online().seen(TICKET, "ASSET_ONLINE", 10, 2, 0))).containsOnly("L1");
    assertThat(broken(goodDay().stillInAgenda())).containsOnly("L1");
    assertThat(broken(goodDay().gone())).contains("L1");
  }

  private static Told online() {
    return new Told()
        .opened(TICKET, 10, "a/1")
        .path(10, "a/1", "INIT", "ASSET_ONLINE")
        .seen(TICKET, "ASSET_ONLINE", 10, 2, 0);
  }

  private static Told notifying() {
    return online()
        .path(10, "a/1", "ASSET_ONLINE", "VULN_CHECK_DONE", "HIGH_RISK_FOUND", "NOTIFYING");
  }

  private static List<String> broken(Told told) {
    return ChaosChecker.check(told.history()).stream().map(Violation::invariant).toList();
  }
}
