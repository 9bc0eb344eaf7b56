package dev.fencepost.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

/** The median of some rounds, and how far they lay apart. */
record Spread(double median, double min, double max) {

  static Spread of(Collection<Double> rounds) {
    var sorted = rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    var middle = sorted.length / 2;
    var median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /** Of two sides that took turns: round by round, so that a slow minute hits both. */
  static Spread of(
      java.util.List<Double> one, java.util.List<Double> other, DoubleBinaryOperator compare) {
    return of(
        IntStream.range(0, Math.min(one.size(), other.size()))
            .mapToObj(i -> compare.applyAsDouble(one.get(i), other.get(i)))
            .toList());
  }

  ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("median", median)
        .put("min", min)
        .put("max", max);
  }

  @Override
  public String toString() {
    return "%s [%s..%s]".formatted(text(median), text(min), text(max));
  }

  /** Three digits or more, so that nothing looks more exact than it is. */
  static String text(double value) {
    var digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
