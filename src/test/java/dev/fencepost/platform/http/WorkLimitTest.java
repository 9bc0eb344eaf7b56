package dev.fencepost.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkLimitTest {

  private static final int MOST = 512;
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private final WorkLimit limit = new WorkLimit(MOST, 0);
  private long now;

  @Test
  void a_service_that_is_fast_takes_what_is_configured() {
    answers(5_000, 5, MOST);

    assertThat(limit.now()).isEqualTo(MOST);
  }

  @Test
  void many_at_once_that_wait_a_little_are_no_overload() {
    answers(5_000, 5, 10);
    answers(5_000, 200, 400);

    assertThat(limit.now()).isEqualTo(MOST);
  }

  @Test
  void when_everybody_waits_fewer_are_taken_and_more_again_when_it_is_over() {
    answers(2_000, 10, 10);
    answers(10_000, 2_000, MOST);
    assertThat(limit.now()).isLessThan(MOST / 8).isGreaterThanOrEqualTo(16);

    answers(20_000, 10, 10);
    assertThat(limit.now()).isEqualTo(MOST);
  }

  @Test
  void a_few_slow_requests_say_nothing_about_load() {
    answers(2_000, 10, 10);
    answers(10_000, 2_000, 20);

    assertThat(limit.now()).isEqualTo(MOST);
  }

  @Test
  void what_is_always_slow_is_not_overloaded_by_being_slow() {
    answers(60_000, 400, 300);

    assertThat(limit.now()).isEqualTo(MOST);
  }

  @Test
  void a_small_limit_stays_as_it_is() {
    var small = new WorkLimit(2, 0);
    for (var i = 0; i < 1_000; i++) {
      small.answered(5_000 * MS, 2, i * 10 * MS);
    }

    assertThat(small.now()).isEqualTo(2);
  }

  /** So long, 100 answers a second come that each took as long, besides so many others. */
  private void answers(int forMs, int tookMs, int besides) {
    for (var until = now + forMs * MS; now < until; now += 10 * MS) {
      limit.answered(tookMs * MS, besides, now);
    }
  }
}
