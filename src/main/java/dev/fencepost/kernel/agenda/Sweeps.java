package dev.fencepost.kernel.agenda;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Makes sweeps. What they count is shown at 0: an alert on an increase would miss a first value.
 */
@ApplicationScoped
public class Sweeps {

  private final Lanes lanes;
  private final Entropy entropy;
  private final MeterRegistry metrics;

  Sweeps(Lanes lanes, Entropy entropy, MeterRegistry metrics) {
    this.lanes = lanes;
    this.entropy = entropy;
    this.metrics = metrics;
  }

  /**
   * A sweep.
   *
   * @param name for the log
   * @param left the counter of items that it could not handle
   */
  public Sweep named(String name, String left) {
    return new Sweep(
        name, lanes, entropy, metrics.counter(left), metrics.counter("fencepost.sweeps.cut.short"));
  }
}
