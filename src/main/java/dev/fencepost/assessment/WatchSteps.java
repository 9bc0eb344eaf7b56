package dev.fencepost.assessment;

import dev.fencepost.platform.telemetry.Spans;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Watches steps: how long each takes and how it ends, as a metric and as a span of its trace. */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class WatchSteps {

  /** From a local look-up to the longest time limit of a step. */
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(3),
    Duration.ofSeconds(10)
  };

  private static final String DONE = "done";
  private static final String FAILED = "failed";
  private static final String CANCELLED = "cancelled";
  private static final List<String> OUTCOMES = List.of(DONE, FAILED, CANCELLED);

  private final Spans spans;
  private final Entropy entropy;
  private final MeterRegistry metrics;

  WatchSteps(Spans spans, Entropy entropy, MeterRegistry metrics) {
    this.spans = spans;
    this.entropy = entropy;
    this.metrics = metrics;
    for (var step : Step.values()) {
      OUTCOMES.forEach(outcome -> timer(step, outcome));
    }
  }

  /** The step's work, watched; whatever it may fail with is a failed step. */
  <T> Uni<T> watch(Run run, Step step, Uni<T> work) {
    return Uni.createFrom()
        .deferred(
            () -> {
              var since = entropy.nanoTime();
              var span = begin(run, step);
              return StepFailed.guard(run, step, work)
                  .onTermination()
                  .invoke((item, failure, cancelled) -> end(step, since, span, failure, cancelled));
            });
  }

  private Span begin(Run run, Step step) {
    return spans
        .begin(step.name(), run.trace())
        .setAttribute("fencepost.ticket_id", run.ticket().ticketId())
        .setAttribute("fencepost.asset_id", run.ticket().assetId())
        .setAttribute("fencepost.lane", run.lease().lane().number())
        .setAttribute("fencepost.fencing_token", run.lease().token().value());
  }

  private void end(
      Step step, long since, Span span, @Nullable Throwable failure, boolean cancelled) {
    var outcome = cancelled ? CANCELLED : failure == null ? DONE : FAILED;
    if (failure != null) {
      span.setStatus(StatusCode.ERROR, String.valueOf(failure.getMessage()));
    }
    span.setAttribute("fencepost.outcome", outcome).end();
    timer(step, outcome).record(Duration.ofNanos(entropy.nanoTime() - since));
  }

  private Timer timer(Step step, String outcome) {
    return Timer.builder("fencepost.step.duration")
        .description("How long the steps of assessments take")
        .tag("step", step.name().toLowerCase(Locale.ROOT))
        .tag("outcome", outcome)
        .serviceLevelObjectives(BUCKETS)
        .register(metrics);
  }
}
