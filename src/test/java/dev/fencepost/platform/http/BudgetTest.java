package dev.fencepost.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.platform.time.Entropy;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The arithmetic of budgets, on a clock that stands still until it is moved. */
class BudgetTest {

  private static final Rate TEN_A_SECOND = new Rate(10, 20);
  private static final long START = 1_000_000_000_000L;

  private final Budget budget = new Budget(START);

  @Test
  void a_quiet_caller_may_burst_and_not_one_request_more() {
    assertThat(IntStream.range(0, 20)).allMatch(i -> take(START).granted());

    var refused = take(START);

    assertThat(refused.granted()).isFalse();
    assertThat(refused.remaining()).isZero();
    assertThat(refused.resetSeconds()).isEqualTo(2);
  }

  @Test
  void a_budget_comes_back_at_its_rate() {
    IntStream.range(0, 20).forEach(i -> take(START));

    assertThat(take(START + millis(99)).granted()).isFalse();
    assertThat(take(START + millis(100)).granted()).isTrue();
    assertThat(take(START + millis(100)).granted()).isFalse();
    assertThat(IntStream.range(0, 10)).allMatch(i -> take(START + millis(1100)).granted());
    assertThat(take(START + millis(1100)).granted()).isFalse();
  }

  @Test
  void a_long_silence_saves_up_one_burst_only() {
    IntStream.range(0, 20).forEach(i -> take(START));
    var later = START + TimeUnit.HOURS.toNanos(1);

    assertThat(budget.isFull(later)).isTrue();
    assertThat(IntStream.range(0, 21).filter(i -> take(later).granted()).count()).isEqualTo(20);
  }

  @Test
  void a_refusal_costs_nothing() {
    IntStream.range(0, 1000).forEach(i -> take(START));

    assertThat(take(START + millis(100)).granted()).isTrue();
  }

  @Test
  void what_is_given_back_may_be_spent_again() {
    IntStream.range(0, 20).forEach(i -> take(START));

    budget.giveBack(TEN_A_SECOND);

    assertThat(take(START).granted()).isTrue();
    assertThat(take(START).granted()).isFalse();
  }

  @Test
  void many_threads_get_no_more_than_one() throws InterruptedException {
    var granted = new AtomicInteger();
    var threads =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    new Thread(
                        () ->
                            IntStream.range(0, 50)
                                .filter(n -> take(START).granted())
                                .forEach(n -> granted.incrementAndGet())))
            .toList();
    threads.forEach(Thread::start);
    for (var thread : threads) {
      thread.join();
    }

    assertThat(granted).hasValue(20);
  }

  @Test
  void callers_beyond_the_bound_share_one_budget_and_the_others_keep_theirs() {
    var clock = new StandingClock();
    var budgets = new CallerBudgets(new FewLimits(10, 20, 2), clock);
    budgets.take("a", TEN_A_SECOND);
    budgets.take("b", TEN_A_SECOND);

    IntStream.range(0, 20).forEach(i -> budgets.take("c", TEN_A_SECOND));

    assertThat(budgets.known()).isEqualTo(2);
    assertThat(budgets.take("d", TEN_A_SECOND).granted()).isFalse();
    assertThat(budgets.take("a", TEN_A_SECOND).granted()).isTrue();
  }

  @Test
  void the_quiet_are_forgotten() {
    var clock = new StandingClock();
    var budgets = new CallerBudgets(new FewLimits(10, 20, 2), clock);
    budgets.take("a", TEN_A_SECOND);

    budgets.forgetTheQuiet();
    assertThat(budgets.known()).isEqualTo(1);

    clock.now += millis(100);
    budgets.forgetTheQuiet();
    assertThat(budgets.known()).isZero();
  }

  @Test
  void an_ipv6_network_is_one_caller_and_an_ipv4_address_is_one() {
    assertThat(RateLimit.network(SocketAddress.inetSocketAddress(1, "2001:db8:0:7:1:2:3:4")))
        .isEqualTo(RateLimit.network(SocketAddress.inetSocketAddress(1, "2001:db8:0:7:9:9:9:9")));
    assertThat(RateLimit.network(SocketAddress.inetSocketAddress(1, "192.0.2.1")))
        .isEqualTo("192.0.2.1");
    assertThat(RateLimit.network(null)).isEqualTo("unknown");
  }

  @Test
  void a_rate_of_nothing_is_none() {
    assertThatThrownBy(() -> new Rate(0, 1)).hasMessageContaining("were 0 and 1");
  }

  private Allowance take(long now) {
    return budget.take(TEN_A_SECOND, now);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static final class StandingClock extends Entropy {

    private long now = START;

    @Override
    public long nanoTime() {
      return now;
    }
  }
}
