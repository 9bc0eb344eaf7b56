package dev.fencepost.chaos;

import java.util.Arrays;
import java.util.List;

/** What replicas show of themselves, as Prometheus reads it. */
final class Scrape {

  private Scrape() {}

  /** The sum of a metric's series that have all these labels, each as {@code name="value"}. */
  static double of(ServiceProcess replica, String metric, String... labels) {
    return replica
        .get("/q/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(metric + " ") || line.startsWith(metric + "{"))
        .filter(line -> Arrays.stream(labels).allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  static double of(List<ServiceProcess> replicas, String metric, String... labels) {
    return replicas.stream().mapToDouble(replica -> of(replica, metric, labels)).sum();
  }
}
