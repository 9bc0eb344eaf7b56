package dev.fencepost.assessment.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RateBudgetTest {

  private static final Duration NO_WAIT = Duration.ZERO;

  @Test
  void no_minute_of_wecom_or_dingtalk_has_more_than_twenty() {
    assertThat(busiest(RateBudget::twentyAMinute, Duration.ofMinutes(1))).isEqualTo(20);
  }

  @Test
  void no_minute_of_feishu_has_more_than_a_hundred_and_no_second_more_than_five() {
    assertThat(busiest(RateBudget::hundredAMinute, Duration.ofMinutes(1))).isBetween(90, 100);
    assertThat(busiest(RateBudget::hundredAMinute, Duration.ofSeconds(1))).isBetween(3, 5);
  }

  @Test
  void slack_has_a_small_burst_and_then_one_a_second() {
    assertThat(busiest(RateBudget::oneASecond, Duration.ofSeconds(10))).isEqualTo(13);
  }

  @Test
  void a_short_wait_is_granted_and_a_long_one_is_refused_without_taking_a_token() {
    var budget = RateBudget.twentyAMinute();
    for (var i = 0; i < 5; i++) {
      assertThat(budget.reserve(0, NO_WAIT)).isEqualTo(new RateBudget.Slot(true, NO_WAIT));
    }

    var refused = new RateBudget.Slot(false, Duration.ofSeconds(4));
    assertThat(budget.reserve(0, Duration.ofSeconds(3))).isEqualTo(refused);
    assertThat(budget.reserve(0, Duration.ofSeconds(3))).isEqualTo(refused);
    assertThat(budget.reserve(0, Duration.ofSeconds(4)))
        .isEqualTo(new RateBudget.Slot(true, Duration.ofSeconds(4)));
    assertThat(budget.reserve(0, Duration.ofSeconds(4)))
        .isEqualTo(new RateBudget.Slot(false, Duration.ofSeconds(8)));
  }

  @Test
  void a_receiver_that_asks_for_silence_gets_it() {
    var budget = RateBudget.unlimited();
    budget.pause(0, Duration.ofMinutes(10));
    budget.pause(0, Duration.ofMinutes(1));

    assertThat(budget.reserve(0, NO_WAIT))
        .isEqualTo(new RateBudget.Slot(false, Duration.ofMinutes(10)));
    assertThat(budget.reserve(Duration.ofMinutes(10).toNanos(), NO_WAIT).granted()).isTrue();
  }

  /** The most that any window sees of a sender who tries every millisecond, and rests at times. */
  private static int busiest(Supplier<RateBudget> budgets, Duration window) {
    var budget = budgets.get();
    List<Long> granted = new ArrayList<>();
    var start = Duration.ofHours(-1).toNanos(); // monotonic readings may be negative
    for (var millis = 0L; millis < 400_000; millis++) {
      var rests = millis / 50_000 % 3 == 2;
      var now = start + millis * 1_000_000;
      if (!rests && budget.reserve(now, NO_WAIT).granted()) {
        granted.add(now);
      }
    }
    var most = 0;
    var first = 0;
    for (var last = 0; last < granted.size(); last++) {
      while (granted.get(last) - granted.get(first) > window.toNanos()) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }
}
