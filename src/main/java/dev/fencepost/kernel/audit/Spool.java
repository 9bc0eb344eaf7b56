package dev.fencepost.kernel.audit;

import dev.fencepost.kernel.fence.HolderNames;
import dev.fencepost.platform.lifecycle.OffTheLoop;
import dev.fencepost.platform.lifecycle.StartUp;
import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.redis.RedisUnavailable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.impl.types.ErrorType;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Writes events to disk first and to Redis then, in order, one run at a time. What an earlier
 * process left on disk goes first. Files are touched on worker threads only.
 */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class Spool {

  private static final Logger LOG = Logger.getLogger(Spool.class);
  private static final String ENDING = ".spool";
  private static final String TORN = "torn";
  private static final String DISK_FULL = "disk full";
  private static final int WRITE_AT_ONCE = 256;
  private static final int SEND_AT_ONCE = 100;
  private static final int AFTER_THE_LAST_EVENTS = 5_000;
  private static final Duration TRY_AGAIN_EVERY = Duration.ofSeconds(1);
  private static final Duration LAST_CHANCE = Duration.ofSeconds(3);

  private final AuditStreamStore streams;
  private final Path folder;
  private final long limit;
  private final MeterRegistry metrics;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final AtomicLong onDisk = new AtomicLong();
  private final Deque<SpoolFile> files = new ArrayDeque<>();
  private final LinkedBlockingQueue<SpooledEvent> buffer;
  private final String process;
  private boolean opened;

  @Inject
  Spool(
      AuditStreamStore streams,
      @ConfigProperty(name = "fencepost.data-dir") String dataDir,
      HolderNames names,
      AuditSettings settings,
      MeterRegistry metrics) {
    this(streams, dataDir, names.next(), settings, metrics);
  }

  Spool(
      AuditStreamStore streams,
      String dataDir,
      String process,
      AuditSettings settings,
      MeterRegistry metrics) {
    this.streams = streams;
    this.process = process;
    this.buffer = new LinkedBlockingQueue<>(settings.buffer());
    metrics.gaugeCollectionSize("fencepost.audit.buffer", List.of(), buffer);
    this.folder = Path.of(dataDir, "audit-spool");
    this.limit = settings.spoolLimit().asLongValue();
    this.metrics = metrics;
    Stream.of(TORN, DISK_FULL).forEach(this::dropped);
    metrics.gauge("fencepost.audit.spool.bytes", onDisk);
  }

  /** How this process is called in the events it numbers. */
  String process() {
    return process;
  }

  /** Takes an event in; false if there is no room. */
  boolean offer(SpooledEvent event) {
    return buffer.offer(event);
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    ticker.every(TRY_AGAIN_EVERY, "the audit spool", this::drain);
  }

  void stop(@Observes @Priority(AFTER_THE_LAST_EVENTS) ShutdownEvent stop) {
    StartUp.waitFor(
        "the audit spool", drain().ifNoItem().after(LAST_CHANCE).recoverWithItem((Void) null));
  }

  boolean isIdle() {
    return !busy.get();
  }

  /** Moves everything on, as far as Redis takes it; the rest stays on disk. */
  Uni<Void> drain() {
    return Uni.createFrom()
        .deferred(
            () ->
                busy.compareAndSet(false, true)
                    ? rounds().onTermination().invoke(() -> busy.set(false))
                    : Uni.createFrom().voidItem());
  }

  private Uni<Void> rounds() {
    return Multi.createBy()
        .repeating()
        .uni(this::round)
        .whilst(more -> more)
        .collect()
        .last()
        .replaceWithVoid()
        .onFailure(RedisUnavailable.class)
        .recoverWithUni(this::keep)
        .onFailure(ErrorType.class)
        .recoverWithUni(this::keep);
  }

  /** True if there may be more. */
  private Uni<Boolean> round() {
    return OffTheLoop.block(this::writeAndRead)
        .flatMap(batch -> streams.appendAll(batch.events()).replaceWith(batch))
        .flatMap(batch -> OffTheLoop.block(() -> taken(batch)));
  }

  private synchronized SpoolFile.Batch writeAndRead() {
    openAll();
    var fresh = new ArrayList<SpooledEvent>();
    for (var next = buffer.poll(); next != null; next = buffer.poll()) {
      fresh.add(next);
      if (fresh.size() == WRITE_AT_ONCE) {
        break;
      }
    }
    var own = files.getLast();
    if (!fresh.isEmpty() && own.size() > limit) {
      dropped(DISK_FULL).increment(fresh.size());
      LOG.errorf("the audit spool is full: %d events are lost", fresh.size());
    } else if (!fresh.isEmpty()) {
      own.append(fresh);
    }
    onDisk.set(files.stream().mapToLong(SpoolFile::size).sum());
    return files.getFirst().next(SEND_AT_ONCE);
  }

  private synchronized boolean taken(SpoolFile.Batch batch) {
    if (!opened) {
      return false; // closed meanwhile: what was sent is sent again, and known by its number
    }
    var file = files.getFirst();
    file.taken(batch);
    var emptied = batch.events().isEmpty();
    if (emptied && files.size() > 1) {
      if (file.torn() > 0) {
        dropped(TORN).increment();
        LOG.errorf("an event was being written when its process was killed: it is lost");
      }
      file.delete();
      files.removeFirst();
      return true;
    }
    onDisk.set(files.stream().mapToLong(SpoolFile::size).sum());
    return !emptied || !buffer.isEmpty();
  }

  /** What dead processes left first, in the order of their names; then this process's own. */
  private void openAll() {
    if (opened) {
      return;
    }
    try {
      Files.createDirectories(folder);
      try (var found = Files.list(folder)) {
        found
            .filter(path -> path.toString().endsWith(ENDING))
            .sorted()
            .forEach(path -> SpoolFile.open(path).ifPresent(files::add));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + folder, e);
    }
    files.add(
        SpoolFile.open(folder.resolve(process.replaceAll("[^A-Za-z0-9._-]", "_") + ENDING))
            .orElseThrow());
    opened = true;
  }

  private Uni<Void> keep(Throwable away) {
    LOG.debugf("events stay on disk: %s", away.getMessage());
    return Uni.createFrom().voidItem();
  }

  /** An empty file tells nobody anything. */
  private static void leave(SpoolFile file) {
    if (file.size() == 0) {
      file.delete();
    } else {
      file.close();
    }
  }

  private Counter dropped(String why) {
    return metrics.counter("fencepost.audit.dropped", "why", why);
  }

  @PreDestroy
  synchronized void close() {
    files.forEach(Spool::leave);
    files.clear();
    opened = false;
  }
}
