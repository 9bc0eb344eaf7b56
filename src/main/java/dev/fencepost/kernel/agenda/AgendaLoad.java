package dev.fencepost.kernel.agenda;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * How much stands in the agendas and how late the latest of it is, as the last looks found them.
 */
@ApplicationScoped
class AgendaLoad {

  private static final Pattern LANE = Pattern.compile(":\\{\\d+}:");
  private static final double MS_PER_SECOND = 1000;

  /** By agenda, then by key: one per lane. */
  private final Map<String, Map<String, Seen>> agendas = new ConcurrentHashMap<>();

  private final MeterRegistry metrics;

  AgendaLoad(MeterRegistry metrics) {
    this.metrics = metrics;
  }

  private record Seen(long entries, long overdueMs) {}

  /**
   * All lanes of one agenda count together: {@code assessment:{17}:agenda} is of {@code
   * assessment}.
   */
  void seen(String agendaKey, long entries, long overdueMs) {
    agendas
        .computeIfAbsent(
            LANE.matcher(agendaKey).replaceFirst("-").replace("-agenda", ""), this::watched)
        .put(agendaKey, new Seen(entries, overdueMs));
  }

  private Map<String, Seen> watched(String agenda) {
    var lanes = new ConcurrentHashMap<String, Seen>();
    var tags = Tags.of("agenda", agenda);
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
