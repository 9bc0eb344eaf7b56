package dev.fencepost.kernel.audit.ledger;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.kernel.fence.LeaseKeeper;
import dev.fencepost.kernel.identity.token.SigningKeys;
import dev.fencepost.platform.lifecycle.OffTheLoop;
import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Moves the oldest months to files, one at a time and only what verifies: the file is whole on the
 * disk, then an event says so, then the seal is recorded and the table dropped in one transaction.
 * Whatever is cut short in between is done again.
 */
@ApplicationScoped
class ArchiveMonths {

  private static final Logger LOG = Logger.getLogger(ArchiveMonths.class);
  private static final int EVENTS_AT_ONCE = 1000;

  private final LedgerView ledger;
  private final ArchiveStore archives;
  private final LaneStream streams;
  private final LeaseKeeper keeper;
  private final SigningKeys keys;
  private final AuditTrail trail;
  private final AuditSettings settings;
  private final Entropy entropy;
  private final ObjectMapper json;
  private final MeterRegistry metrics;

  ArchiveMonths(
      LedgerView ledger,
      ArchiveStore archives,
      LaneStream streams,
      LeaseKeeper keeper,
      SigningKeys keys,
      AuditTrail trail,
      AuditSettings settings,
      Entropy entropy,
      ObjectMapper json,
      MeterRegistry metrics) {
    this.ledger = ledger;
    this.archives = archives;
    this.streams = streams;
    this.keeper = keeper;
    this.keys = keys;
    this.trail = trail;
    this.settings = settings;
    this.entropy = entropy;
    this.json = json;
    this.metrics = metrics;
    metrics.counter("fencepost.audit.archive.failures"); // shown at 0
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    if (settings.retention().isEmpty()) {
      return;
    }
    var months = settings.retention().getAsInt();
    if (months < 1 || settings.archive().path().isEmpty()) {
      throw new IllegalStateException(
          "fencepost.audit.retention must be 1 month or more, and fencepost.audit.archive.path must"
              + " name a folder");
    }
    if (settings.project()) {
      var folder = Path.of(settings.archive().path().get());
      ticker.every(settings.archive().every(), "the archive", () -> archiveDue(months, folder));
    }
  }

  private Uni<Void> archiveDue(int months, Path folder) {
    return archives
        .oldest()
        .flatMap(
            oldest ->
                oldest
                    .filter(month -> month.isOlderThan(months, entropy.now()))
                    .map(month -> archive(month, folder))
                    .orElseGet(() -> Uni.createFrom().voidItem()))
        .onFailure(RuntimeException.class)
        .recoverWithUni(this::later);
  }

  private Uni<Void> later(Throwable failure) {
    metrics.counter("fencepost.audit.archive.failures").increment();
    LOG.errorf("no month was archived: %s", failure.getMessage());
    return Uni.createFrom().voidItem();
  }

  /** Archives one month, the oldest there is; nothing happens if another replica is at it. */
  Uni<Void> archive(Partition month, Path folder) {
    return streams
        .takeArchive()
        .flatMap(
            lease ->
                lease.isEmpty()
                    ? Uni.createFrom().voidItem()
                    : keeper
                        .whileHeld(lease.get(), move(month, folder, lease.get()))
                        .onTermination()
                        .call(() -> streams.release(lease.get())));
  }

  private Uni<Void> move(Partition month, Path folder, Lease lease) {
    return write(month, folder, lease)
        .invoke(archived -> trail.append(toldOf(archived)))
        .call(archived -> archives.cut(archived, lease.token()))
        .invoke(
            archived ->
                LOG.infof(
                    "%d events of %s are in %s, sha256 %s",
                    archived.events(), archived.partition(), archived.name(), archived.sha256()))
        .replaceWithVoid();
  }

  /** Writes a month into a file, if it verifies. */
  Uni<ArchivedMonth> write(Partition month, Path folder, Lease lease) {
    return archives
        .seals()
        .flatMap(known -> OffTheLoop.compute(() -> Seals.of(known, keys::publicKeyOf)))
        .invoke(seals -> seals.damage().ifPresent(ArchiveMonths::refuse))
        .flatMap(
            seals ->
                archives
                    .names()
                    .flatMap(names -> OffTheLoop.block(() -> file(month, folder, lease, names)))
                    .flatMap(file -> fill(file, month, seals)));
  }

  private ArchiveFile file(Partition month, Path folder, Lease lease, Set<String> names) {
    return ArchiveFile.create(folder, month, lease.token().value(), names, json);
  }

  private static void refuse(Damage damage) {
    throw new IllegalStateException("history is damaged, and stays as it is: " + damage);
  }

  private Uni<ArchivedMonth> fill(ArchiveFile file, Partition month, Seals seals) {
    return ledger
        .heads()
        .flatMap(
            heads ->
                Multi.createFrom()
                    .iterable(heads)
                    .onItem()
                    .transformToUniAndConcatenate(
                        head -> lane(file, month, seals.endOf(head.lane())))
                    .filter(stretch -> stretch.events() > 0)
                    .collect()
                    .asList())
        .flatMap(stretches -> OffTheLoop.block(() -> seal(file, month, stretches)))
        .onFailure(RuntimeException.class)
        .call(
            () ->
                OffTheLoop.block(
                    () -> {
                      file.discard();
                      return file;
                    }));
  }

  /** What a month has of one lane. */
  private record Stretch(Head begin, Head end) {

    long events() {
      return end.sequence() - begin.sequence();
    }
  }

  private Uni<Stretch> lane(ArchiveFile file, Partition month, Head begin) {
    var verifier = new LaneVerifier(begin.lane(), begin.sequence(), begin.hash(), Map.of());
    return Multi.createBy()
        .repeating()
        .uni(
            () ->
                ledger
                    .until(begin.lane(), verifier.sequence(), month.end(), EVENTS_AT_ONCE)
                    .flatMap(events -> OffTheLoop.block(() -> take(events, file, verifier))))
        .whilst(more -> more)
        .collect()
        .last()
        .map(done -> new Stretch(begin, endOf(verifier)));
  }

  private static boolean take(List<RecordedEvent> events, ArchiveFile file, LaneVerifier verifier) {
    for (var event : events) {
      verifier
          .accept(event)
          .ifPresent(
              symptom ->
                  refuse(
                      verifier.damage(
                          event.sequence(), Damage.Kind.CHANGED, "it does not fit: " + symptom)));
    }
    file.write(events);
    return events.size() == EVENTS_AT_ONCE;
  }

  private static Head endOf(LaneVerifier verifier) {
    return new Head(
        verifier.lane(), verifier.sequence(), verifier.hash(), StreamId.NONE, Instant.EPOCH);
  }

  private ArchivedMonth seal(ArchiveFile file, Partition month, List<Stretch> stretches) {
    var now = entropy.now().truncatedTo(ChronoUnit.MILLIS);
    var payload =
        Checkpoint.archivePayload(
            file.name(),
            now,
            stretches.stream().map(Stretch::begin).toList(),
            stretches.stream().map(Stretch::end).toList());
    var kid = keys.activeKid();
    var seal =
        new Checkpoint(
            Checkpoint.OF_AN_ARCHIVE,
            now,
            payload,
            kid,
            CheckpointSignature.ALGORITHM,
            keys.sign(payload),
            keys.publicKeyOf(kid).orElseThrow());
    var sha256 = file.finish(seal);
    return new ArchivedMonth(month.month(), month.name(), file.name(), file.events(), sha256, seal);
  }

  private AuditEvent toldOf(ArchivedMonth archived) {
    return new AuditEvent(
        "AUDIT_ARCHIVED",
        "accepted",
        "audit",
        archived.name(),
        Origin.ofService(Trace.fresh(entropy.freshBytes(Trace.SEED_BYTES))),
        Map.of(
            "month", archived.month().toString(),
            "events", Long.toString(archived.events()),
            "sha256", archived.sha256(),
            "seal_sha256", archived.seal().digest()));
  }
}
