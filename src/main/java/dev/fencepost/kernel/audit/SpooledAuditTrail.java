package dev.fencepost.kernel.audit;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.JsonShape;
import dev.fencepost.platform.lifecycle.InFlight;
import dev.fencepost.platform.telemetry.LogFacts;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/**
 * Numbers each event and hands it to the spool, which writes it to disk and then to the stream of
 * its resource's lane. A number that is used up and never arrives is a gap that the ledger records:
 * nothing is lost in silence.
 */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class SpooledAuditTrail implements AuditTrail {

  private static final Logger LOG = Logger.getLogger(SpooledAuditTrail.class);

  private final Lanes lanes;
  private final Mask mask;
  private final Entropy entropy;
  private final InFlight inFlight;
  private final Spool spool;
  private final MeterRegistry metrics;
  private final Map<Integer, AtomicLong> sequences = new ConcurrentHashMap<>();

  SpooledAuditTrail(
      Lanes lanes,
      Mask mask,
      Entropy entropy,
      InFlight inFlight,
      Spool spool,
      MeterRegistry metrics) {
    this.lanes = lanes;
    this.mask = mask;
    this.entropy = entropy;
    this.inFlight = inFlight;
    this.spool = spool;
    this.metrics = metrics;
    dropped();
  }

  @Override
  public void append(AuditEvent event) {
    if (!offer(event)) {
      dropped().increment();
      LogFacts.log(
          LOG,
          Level.ERROR,
          () -> facts(event),
          "the audit buffer is full: an event %s is lost",
          event.action());
    }
    if (spool.isIdle()) {
      inFlight.start("the audit spool", spool.drain());
    }
  }

  private LogFacts facts(AuditEvent event) {
    return lanes.of(event.resourceId()).facts().trace(event.origin().trace());
  }

  /** One at a time: an event that came after a higher number would look like a repeat. */
  private synchronized boolean offer(AuditEvent event) {
    return spool.offer(spooled(event));
  }

  private SpooledEvent spooled(AuditEvent event) {
    var lane = lanes.of(event.resourceId()).number();
    var fields = new LinkedHashMap<String, String>();
    fields.put("action", event.action());
    fields.put("outcome", event.outcome());
    fields.put("resource_type", event.resourceType());
    fields.put("resource_id", event.resourceId());
    mask.fields(event.details()).forEach(fields::putIfAbsent);
    fields.put("occurred_at", JsonShape.text(entropy.now()));
    fields.put("process", spool.process());
    fields.put("process_sequence", Long.toString(next(lane)));
    fields.put("origin", event.origin().json());
    return new SpooledEvent(lane, fields);
  }

  private long next(int lane) {
    return sequences.computeIfAbsent(lane, first -> new AtomicLong()).incrementAndGet();
  }

  private Counter dropped() {
    return metrics.counter("fencepost.audit.dropped", "why", "buffer full");
  }
}
