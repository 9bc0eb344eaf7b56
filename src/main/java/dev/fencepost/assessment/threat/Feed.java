package dev.fencepost.assessment.threat;

import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The newest good copy of a feed. A copy is immutable and is replaced whole: who took one judges
 * everything by it. A refresh that fails changes nothing but the log and a counter.
 */
final class Feed<T> {

  private static final Logger LOG = Logger.getLogger(Feed.class);
  private static final double MILLIS_PER_SECOND = 1000;

  /** How a feed's text is read. Fails with {@link UnusableFeed} if it is not what it should be. */
  interface Reader<T> {
    T read(InputStream text) throws IOException;
  }

  private record Copy<T>(T content, Instant loadedAt) {}

  private interface Source {
    InputStream open() throws IOException;
  }

  private final String title;
  private final FeedLocation location;
  private final FeedConfig config;
  private final FeedDownload download;
  private final Reader<T> reader;
  private final Entropy entropy;
  private final Counter failures;

  private volatile @Nullable Copy<T> newest;
  private volatile @Nullable String lastFailure;

  /**
   * Keeps a feed.
   *
   * @param title of log lines and of the metric {@code fencepost_<title>_refresh_failures}
   */
  Feed(
      String title,
      FeedLocation location,
      FeedConfig config,
      Reader<T> reader,
      OutgoingHttp http,
      Entropy entropy,
      MeterRegistry metrics) {
    this.title = title;
    this.location = location;
    this.config = config;
    this.download = new FeedDownload(http, config);
    this.reader = reader;
    this.entropy = entropy;
    this.failures = metrics.counter("fencepost_" + title + "_refresh_failures");
    Gauge.builder("fencepost_" + title + "_age_seconds", this, Feed::ageInSeconds)
        .description("Time since the copy in use was loaded; NaN while there is none")
        .register(metrics);
  }

  /** Shows the size of the copy in use, 0 while there is none. */
  void gauge(String name, MeterRegistry metrics, ToIntFunction<T> size) {
    Gauge.builder(name, this, feed -> feed.newest().map(size::applyAsInt).orElse(0))
        .register(metrics);
  }

  /** The copy in use; empty as long as the feed could never be loaded. */
  Optional<T> newest() {
    return Optional.ofNullable(newest).map(Copy::content);
  }

  /** Whether it was loaded, or at least tried to. */
  boolean isLookedAt() {
    return newest != null || lastFailure != null;
  }

  /** What is in use, or why nothing is. */
  String describe() {
    var inUse = newest;
    var failure = lastFailure;
    if (inUse != null) {
      return inUse.content() + ", loaded " + inUse.loadedAt();
    }
    return failure == null ? "is being loaded" : "not usable: " + failure;
  }

  /** Loads what needs no network, on the thread that starts the service. */
  void loadAtStart() {
    if (location instanceof FeedLocation.Local local) {
      try {
        replace(read(local::open));
      } catch (UnusableFeed failure) {
        keep(failure);
      }
    }
  }

  /**
   * Refreshes until it succeeds, with growing pauses, or until the next refresh is due anyway. A
   * copy younger than half a period is new enough: the first tick after the start finds one.
   */
  Uni<Void> keepFresh() {
    var period = config.refreshEvery();
    return isYoungerThan(period.dividedBy(2))
        ? Uni.createFrom().voidItem()
        : Uni.createFrom()
            .deferred(this::refresh) // each attempt asks anew
            .onFailure(UnusableFeed.class)
            .retry()
            .withBackOff(config.backoff(), config.maxBackoff())
            .expireIn(period.toMillis())
            .onFailure(Feed::isExhausted)
            .recoverWithNull(); // each try was logged and counted; the old copy stays, its age
    // shows
  }

  /** How Mutiny says that it will not try again. */
  private static boolean isExhausted(Throwable failure) {
    return failure instanceof IllegalStateException && failure.getCause() instanceof UnusableFeed;
  }

  /** Tries once; fails with {@link UnusableFeed}, and the copy in use stays. */
  Uni<Void> refresh() {
    return source()
        .emitOn(Infrastructure.getDefaultWorkerPool()) // reading and parsing block
        .map(this::read)
        .invoke(this::replace)
        .onFailure(UnusableFeed.class)
        .invoke(this::keep)
        .replaceWithVoid();
  }

  private Uni<Source> source() {
    return location instanceof FeedLocation.Remote remote
        ? download.fetch(remote.target()).map(bytes -> () -> new ByteArrayInputStream(bytes))
        : local((FeedLocation.Local) location);
  }

  private static Uni<Source> local(FeedLocation.Local location) {
    Source file = location::open;
    return Uni.createFrom().item(file);
  }

  private T read(Source source) {
    try (var raw = source.open();
        var text = FeedText.of(raw, config.maxSize().asLongValue())) {
      return reader.read(text);
    } catch (IOException e) {
      throw new UnusableFeed("it could not be read: " + e.getMessage());
    }
  }

  private void replace(T content) {
    newest = new Copy<>(content, entropy.now());
    LOG.infof("%s: loaded %s, %s", title, location.name(), content);
  }

  private void keep(Throwable failure) {
    failures.increment();
    lastFailure = failure.getMessage();
    var inUse = newest;
    LOG.warnf(
        "%s: %s is not usable (%s); %s",
        title,
        location.name(),
        failure.getMessage(),
        inUse == null ? "unknown until it is" : "still using the copy of " + inUse.loadedAt());
  }

  private boolean isYoungerThan(Duration age) {
    var inUse = newest;
    return inUse != null && inUse.loadedAt().plus(age).isAfter(entropy.now());
  }

  private double ageInSeconds() {
    var inUse = newest;
    return inUse == null
        ? Double.NaN
        : Duration.between(inUse.loadedAt(), entropy.now()).toMillis() / MILLIS_PER_SECOND;
  }
}
