package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.ReadModel;
import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.kernel.fence.LeaseKeeper;
import dev.fencepost.platform.lifecycle.OffTheLoop;
import dev.fencepost.platform.telemetry.LogFacts;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/**
 * Moves a lane's events from its stream to its chain: read, hash, one transaction, trim. Whatever
 * is cut short in between is done again from where the chain ends.
 */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class ProjectLane {

  private static final Logger LOG = Logger.getLogger(ProjectLane.class);

  private final LaneStream stream;
  private final LedgerStore ledger;
  private final EntryReader reader;
  private final LeaseKeeper keeper;
  private final List<ReadModel> readModels;
  private final AuditSettings settings;
  private final MeterRegistry metrics;

  ProjectLane(
      LaneStream stream,
      LedgerStore ledger,
      EntryReader reader,
      LeaseKeeper keeper,
      @All List<ReadModel> readModels,
      AuditSettings settings,
      MeterRegistry metrics) {
    this.stream = stream;
    this.ledger = ledger;
    this.reader = reader;
    this.keeper = keeper;
    this.readModels = readModels;
    this.settings = settings;
    this.metrics = metrics;
    metrics.counter("fencepost.audit.events");
    metrics.counter("fencepost.audit.gaps");
  }

  /** How far a lane was moved: the last entry that is in the ledger, and whether there is more. */
  record Progress(StreamId last, boolean more) {}

  /** Moves what there is; empty if someone else does. */
  Uni<Optional<StreamId>> project(Lane lane) {
    return stream
        .take(lane)
        .flatMap(
            lease ->
                lease.isPresent()
                    ? under(lease.get()).map(Optional::of)
                    : Uni.createFrom().item(Optional.empty()));
  }

  private Uni<StreamId> under(Lease lease) {
    return keeper.whileHeld(lease, allOf(lease)).onTermination().call(() -> stream.release(lease));
  }

  private Uni<StreamId> allOf(Lease lease) {
    return Multi.createBy()
        .repeating()
        .uni(() -> batch(lease))
        .whilst(Progress::more)
        .collect()
        .last()
        .map(Progress::last);
  }

  Uni<Progress> batch(Lease lease) {
    return ledger
        .head(lease.lane().number())
        .flatMap(
            head ->
                stream
                    .after(head, lease.lane(), settings.batch())
                    .flatMap(
                        slice ->
                            slice.isPresent()
                                ? move(lease, head, slice.get())
                                : nothing(lease, head)));
  }

  /** Whoever moved these events may have died before it trimmed them. */
  private Uni<Progress> nothing(Lease lease, Head head) {
    return stream
        .trim(lease.lane(), head.streamId())
        .replaceWith(new Progress(head.streamId(), false));
  }

  private Uni<Progress> move(Lease lease, Head head, Slice slice) {
    return ledger
        .processes(head.lane(), processesOf(slice))
        .flatMap(known -> OffTheLoop.compute(() -> Chain.extend(head, slice, known, reader)))
        .flatMap(extension -> record(lease, extension))
        .call(extension -> stream.trim(lease.lane(), extension.after().streamId()))
        .map(
            extension ->
                new Progress(
                    extension.after().streamId(), slice.entries().size() >= settings.batch()));
  }

  private Uni<Extension> record(Lease lease, Extension extension) {
    return Multi.createFrom()
        .iterable(readModels)
        .onItem()
        .transformToUniAndConcatenate(model -> model.prepare(extension.batch()))
        .collect()
        .asList()
        .flatMap(changes -> ledger.record(extension, lease.token(), changes))
        .invoke(done -> count(lease, extension.events()))
        .replaceWith(extension);
  }

  private void count(Lease lease, List<RecordedEvent> events) {
    metrics.counter("fencepost.audit.events").increment(events.size());
    events.stream()
        .filter(event -> event.action().equals(Chain.GAP))
        .forEach(
            gap -> {
              metrics.counter("fencepost.audit.gaps").increment();
              LogFacts.log(
                  LOG,
                  Level.ERROR,
                  lease::facts,
                  "events are missing in lane %d: %s",
                  gap.lane(),
                  gap.details());
            });
  }

  private static Set<String> processesOf(Slice slice) {
    return slice.entries().stream()
        .map(entry -> entry.fields().get("process"))
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }
}
