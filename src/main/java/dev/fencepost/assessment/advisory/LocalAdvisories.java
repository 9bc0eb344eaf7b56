package dev.fencepost.assessment.advisory;

import dev.fencepost.asset.Component;
import dev.fencepost.kernel.fence.Effect;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Advisories from a folder, held in memory. A change of the folder is read into a new index that
 * replaces the old one whole; a folder that cannot be read leaves the old one in place.
 */
@ApplicationScoped
@Typed(LocalAdvisories.class)
class LocalAdvisories implements AdvisorySource {

  static final String NAME = "local";

  private static final String BEING_LOADED = "advisories are being loaded";

  private static final Logger LOG = Logger.getLogger(LocalAdvisories.class);

  /**
   * What is known now.
   *
   * @param fingerprint of the files that were last looked at, read or not
   * @param obstacle why there is no index
   */
  private record State(
      @Nullable String fingerprint,
      @Nullable AdvisoryIndex index,
      int broken,
      @Nullable String obstacle) {}

  private final AdvisorySettings settings;
  private final RecordFiles files;
  private final AtomicBoolean loading = new AtomicBoolean();
  private volatile State state = new State(null, null, 0, BEING_LOADED);

  @Inject
  LocalAdvisories(AdvisorySettings settings, MeterRegistry metrics) {
    this(settings, files(settings.local()), metrics);
  }

  LocalAdvisories(AdvisorySettings settings, RecordFiles files, MeterRegistry metrics) {
    this.settings = settings;
    this.files = files;
    metrics.gauge("fencepost.advisories.broken", this, LocalAdvisories::broken);
    metrics.gauge("fencepost.advisories.records", this, LocalAdvisories::records);
  }

  private static RecordFiles files(AdvisorySettings.Local settings) {
    return settings
        .path()
        .<RecordFiles>map(path -> new FolderOfRecords(Path.of(path)))
        .orElseGet(BundledSample::new);
  }

  /** Loading may take many seconds; the service starts meanwhile. */
  void start(@Observes StartupEvent event) {
    if (isUsed()) {
      Infrastructure.getDefaultWorkerPool().execute(this::reloadIfChanged);
    }
  }

  @Scheduled(
      every = "${fencepost.advisories.local.check-every:30s}",
      delayed = "${fencepost.advisories.local.check-every:30s}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> checkForChange() {
    return isUsed()
        ? Uni.createFrom()
            .voidItem()
            .emitOn(Infrastructure.getDefaultWorkerPool())
            .invoke(this::reloadIfChanged)
        : Uni.createFrom().voidItem();
  }

  @Override
  public Uni<Matches> match(List<Component> components, Effect effect) {
    var now = state;
    var index = now.index();
    return index == null
        ? Uni.createFrom().failure(new AdvisoriesUnavailable(String.valueOf(now.obstacle())))
        : Uni.createFrom()
            .item(() -> MatchComponents.match(NAME, components, index))
            .runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
  }

  /** Looks at the files, and reads them if they changed. Blocks. */
  void reloadIfChanged() {
    if (!loading.compareAndSet(false, true)) {
      return; // the other one is at it
    }
    try {
      var fingerprint = files.fingerprint();
      if (!fingerprint.equals(state.fingerprint())) {
        state = load(fingerprint);
      }
    } catch (IOException e) {
      state = failed(null, "the advisories could not be read", e.toString());
    } finally {
      loading.set(false);
    }
  }

  private State load(String fingerprint) {
    try {
      var loaded = LoadAdvisories.from(files, settings.local());
      if (loaded.index().records() == 0) {
        return failed(fingerprint, "there are no advisories", "no record is there");
      }
      LOG.infof(
          "%d advisories loaded, %d broken ones skipped",
          loaded.index().records(), loaded.broken());
      return new State(fingerprint, loaded.index(), loaded.broken(), null);
    } catch (IOException e) {
      return failed(null, "the advisories could not be read", e.toString());
    }
  }

  /**
   * Keeps what is known: yesterday's advisories find more than none do.
   *
   * @param fingerprint null to try again at the next look
   */
  private State failed(@Nullable String fingerprint, String obstacle, String detail) {
    var index = state.index();
    LOG.warnf(
        "%s (%s); %s",
        obstacle,
        detail,
        index == null ? "assessments wait for them" : "keeping the " + index.records() + " known");
    return new State(fingerprint, index, state.broken(), index == null ? obstacle : null);
  }

  /** Whether they were read, or cannot be, or nobody wants them. */
  boolean isLookedAt() {
    var now = state;
    return !isUsed() || now.index() != null || !BEING_LOADED.equals(now.obstacle());
  }

  /** What is known, or why nothing is. */
  String describe() {
    if (!isUsed()) {
      return "asked for when they are needed: " + settings.source();
    }
    var now = state;
    var index = now.index();
    return index == null
        ? String.valueOf(now.obstacle())
        : "%d records, %d broken".formatted(index.records(), now.broken());
  }

  private boolean isUsed() {
    return settings.source() == AdvisorySettings.Source.LOCAL;
  }

  private int broken() {
    return state.broken();
  }

  private int records() {
    var index = state.index();
    return index == null ? 0 : index.records();
  }
}
