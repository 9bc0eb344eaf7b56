package dev.fencepost.platform.http;

import dev.fencepost.platform.time.Entropy;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The budgets of all callers that asked lately, as this process sees them. Their number is bounded:
 * whoever comes when it is reached shares one budget with all others who do.
 */
@ApplicationScoped
class CallerBudgets {

  private final Map<String, Budget> budgets = new ConcurrentHashMap<>();
  private final Entropy entropy;
  private final Budget shared;
  private final int most;

  CallerBudgets(LimitSettings settings, Entropy entropy) {
    this.entropy = entropy;
    this.shared = new Budget(entropy.nanoTime());
    this.most = settings.callers();
  }

  Allowance take(String caller, Rate rate) {
    return of(caller).take(rate, entropy.nanoTime());
  }

  void giveBack(String caller, Rate rate) {
    of(caller).giveBack(rate);
  }

  /** How many callers are told apart now. */
  int known() {
    return budgets.size();
  }

  /** A full budget need not be remembered. */
  @Scheduled(every = "10s")
  Uni<Void> forgetTheQuiet() {
    var now = entropy.nanoTime();
    budgets.values().removeIf(budget -> budget.isFull(now));
    return Uni.createFrom().voidItem();
  }

  private Budget of(String caller) {
    var known = budgets.get(caller);
    if (known != null) {
      return known;
    }
    return budgets.size() >= most
        ? shared
        : budgets.computeIfAbsent(caller, first -> new Budget(entropy.nanoTime()));
  }
}
