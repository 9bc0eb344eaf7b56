package dev.fencepost.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Sides that take turns: one round of each, then the next round, every other time in reverse. The
 * first round is for warming up and not counted.
 */
final class Turns<R> {

  private static final int FEW = 6;
  private static final double NOTICEABLY = 0.96;

  private final Map<String, Supplier<R>> sides = new LinkedHashMap<>();
  private final Map<String, List<R>> rounds = new LinkedHashMap<>();

  Turns<R> side(String name, Supplier<R> round) {
    sides.put(name, round);
    rounds.put(name, new ArrayList<>());
    return this;
  }

  /** Each side so often, uncounted, until its JVM has compiled what matters. */
  Turns<R> warmUp(int count) {
    for (var i = 0; i < count; i++) {
      sides.values().forEach(Supplier::get);
    }
    return this;
  }

  /**
   * Each side, uncounted, until its cost falls no more.
   *
   * @param most rounds of a side
   */
  Turns<R> warmUp(int most, ToDoubleFunction<R> cost) {
    for (var side : sides.values()) {
      var costs = new ArrayList<Double>();
      while (costs.size() < most && stillFalls(costs)) {
        costs.add(cost.applyAsDouble(side.get()));
      }
    }
    return this;
  }

  private static boolean stillFalls(List<Double> costs) {
    var now = costs.size() - FEW;
    return now < FEW
        || mean(costs.subList(now, costs.size()))
            < NOTICEABLY * mean(costs.subList(now - FEW, now));
  }

  private static double mean(List<Double> costs) {
    return costs.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  Turns<R> play(int count) {
    warmUp(1);
    var order = new ArrayList<>(sides.keySet());
    for (var i = 0; i < count; i++) {
      order.forEach(name -> rounds.get(name).add(sides.get(name).get()));
      Collections.reverse(order);
    }
    return this;
  }

  List<Double> each(String name, ToDoubleFunction<R> figure) {
    return rounds.get(name).stream().map(figure::applyAsDouble).toList();
  }

  Spread spread(String name, ToDoubleFunction<R> figure) {
    return Spread.of(each(name, figure));
  }

  /** How many times one side's figure is the other's. */
  Spread ratio(String one, String other, ToDoubleFunction<R> figure) {
    return Spread.of(each(one, figure), each(other, figure), (a, b) -> a / b);
  }
}
