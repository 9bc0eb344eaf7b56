package dev.fencepost.kernel.agenda;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much stands in the agendas and how late the latest of it is, as the last looks found them.
 */
@ApplicationScoped
class AgendaLoad {

  private static final double MS_PER_SECOND = 1000;

  /** By feature, then by key: one agenda per lane. */
  private final Map<String, Map<String, Seen>> features = new ConcurrentHashMap<>();

  private final MeterRegistry metrics;

  AgendaLoad(MeterRegistry metrics) {
    this.metrics = metrics;
  }

  private record Seen(long entries, long overdueMs) {}

  /** A key begins with its feature. */
  void seen(String agendaKey, long entries, long overdueMs) {
    features
        .computeIfAbsent(agendaKey.substring(0, agendaKey.indexOf(':')), this::watched)
        .put(agendaKey, new Seen(entries, overdueMs));
  }

  private Map<String, Seen> watched(String feature) {
    var lanes = new ConcurrentHashMap<String, Seen>();
    var tags = Tags.of("agenda", feature);
    metrics.gauge(
        "fencepost.agenda.entries",
        tags,
        lanes,
        all -> all.values().stream().mapToLong(Seen::entries).sum());
    metrics.gauge(
        "fencepost.agenda.lag.seconds",
        tags,
        lanes,
        all -> all.values().stream().mapToLong(Seen::overdueMs).max().orElse(0) / MS_PER_SECOND);
    return lanes;
  }
}
