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

  private final Map<String, Supplier<R>> sides = new LinkedHashMap<>();
  private final Map<String, List<R>> rounds = new LinkedHashMap<>();

  Turns<R> side(String name, Supplier<R> round) {
    sides.put(name, round);
    rounds.put(name, new ArrayList<>());
    return this;
  }

  /** A side so often, uncounted, until its JVM has compiled what matters. */
  Turns<R> warmUp(String side, int count) {
    for (var i = 0; i < count; i++) {
      sides.get(side).get();
    }
    return this;
  }

  /** Where nothing grows warm: each round is counted. */
  Turns<R> playCold(int count) {
    var order = new ArrayList<>(sides.keySet());
    for (var i = 0; i < count; i++) {
      order.forEach(name -> rounds.get(name).add(sides.get(name).get()));
      Collections.reverse(order);
    }
    return this;
  }

  Turns<R> play(int count) {
    sides.keySet().forEach(side -> warmUp(side, 1));
    return playCold(count);
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
