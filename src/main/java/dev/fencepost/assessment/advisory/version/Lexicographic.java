package dev.fencepost.assessment.advisory.version;

import java.util.Comparator;
import java.util.List;

/** Orders lists by their first difference; a list that is only longer comes after. */
record Lexicographic<T>(Comparator<? super T> elements) implements Comparator<List<T>> {

  @Override
  public int compare(List<T> left, List<T> right) {
    for (var i = 0; i < Math.min(left.size(), right.size()); i++) {
      var difference = elements.compare(left.get(i), right.get(i));
      if (difference != 0) {
        return difference;
      }
    }
    return Integer.compare(left.size(), right.size());
  }
}
