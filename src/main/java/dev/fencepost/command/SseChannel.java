package dev.fencepost.command;

import dev.fencepost.platform.lifecycle.Intake;
import dev.fencepost.platform.lifecycle.Ticker;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.BackPressureFailure;
import io.smallrye.mutiny.subscription.MultiEmitter;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Devices that follow their stream of commands on this process. Each stream has a bounded buffer;
 * who does not read is cut off, and finds everything unfinished when it comes back.
 */
@ApplicationScoped
class SseChannel implements DeviceChannel {

  private static final int AFTER_THE_INTAKE = Interceptor.Priority.APPLICATION + 1000;
  private static final int JUDGED_AT_ONCE = 64;

  /** The streams of each device; replaced as a whole, so that an empty one is never seen. */
  private final Map<String, List<Follower>> streams = new ConcurrentHashMap<>();

  private final CommandSettings settings;
  private final Intake intake;
  private final MeterRegistry metrics;

  SseChannel(CommandSettings settings, Intake intake, MeterRegistry metrics) {
    this.settings = settings;
    this.intake = intake;
    this.metrics = metrics;
    metrics.gaugeMapSize("fencepost.command.devices.connected", List.of(), streams);
    metrics.counter("fencepost.command.streams.cut");
  }

  /** After the intake has closed, so that no stream slips in between. */
  void end(@Observes @Priority(AFTER_THE_INTAKE) ShutdownDelayInitiatedEvent stopping) {
    followers().forEach(follower -> follower.stream.complete());
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    ticker.every(settings.streamHeartbeat(), "heart-beat of streams", this::beat);
    ticker.every(settings.streamLookEvery(), "judgement of streams", this::judge);
  }

  /**
   * Connects a device until it goes, is cut off, may not follow any more, or this process stops.
   *
   * @param allowed whether it may still follow, whenever that is asked
   * @return its commands; an empty one is a heart-beat, the first comes at once
   */
  Multi<Optional<Command>> connect(String deviceId, Uni<Boolean> allowed) {
    return Multi.createFrom()
        .<Optional<Command>>emitter(
            emitter -> {
              var follower = new Follower(emitter, allowed);
              emitter.onTermination(() -> close(deviceId, follower));
              emitter.emit(Optional.empty());
              open(deviceId, follower);
              if (!intake.isOpen()) {
                emitter.complete();
              }
            })
        .onOverflow()
        .buffer(settings.streamBuffer())
        .onFailure(BackPressureFailure.class)
        .invoke(cut -> metrics.counter("fencepost.command.streams.cut").increment());
  }

  @Override
  public boolean isConnected(String deviceId) {
    return streams.containsKey(deviceId);
  }

  @Override
  public boolean isIdle() {
    return streams.isEmpty();
  }

  @Override
  public Uni<Void> send(Command command) {
    streams
        .getOrDefault(command.deviceId(), List.of())
        .forEach(follower -> follower.stream.emit(Optional.of(command)));
    return Uni.createFrom().voidItem();
  }

  private Uni<Void> beat() {
    followers().forEach(follower -> follower.stream.emit(Optional.empty()));
    return Uni.createFrom().voidItem();
  }

  /** What goes wrong with one is told after the others were judged. */
  private Uni<Void> judge() {
    return Multi.createFrom()
        .items(this::followers)
        .onItem()
        .transformToUni(Follower::judge)
        .collectFailures()
        .merge(JUDGED_AT_ONCE)
        .collect()
        .last()
        .replaceWithVoid();
  }

  private Stream<Follower> followers() {
    return streams.values().stream().flatMap(List::stream);
  }

  private void open(String deviceId, Follower follower) {
    streams.merge(
        deviceId,
        List.of(follower),
        (known, more) -> Stream.concat(known.stream(), more.stream()).toList());
  }

  private void close(String deviceId, Follower follower) {
    streams.computeIfPresent(
        deviceId,
        (id, known) -> {
          var left = known.stream().filter(other -> other != follower).toList();
          return left.isEmpty() ? null : left;
        });
  }

  /** One open stream, and whether its caller may still have it. */
  private static final class Follower {

    final MultiEmitter<? super Optional<Command>> stream;
    private final Uni<Boolean> allowed;

    Follower(MultiEmitter<? super Optional<Command>> stream, Uni<Boolean> allowed) {
      this.stream = stream;
      this.allowed = allowed;
    }

    Uni<Boolean> judge() {
      return allowed.invoke(
          may -> {
            if (!may) {
              stream.complete();
            }
          });
    }
  }
}
