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

  /** The streams of each device; replaced as a whole, so that an empty one is never seen. */
  private final Map<String, List<MultiEmitter<? super Optional<Command>>>> streams =
      new ConcurrentHashMap<>();

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
    streams.values().stream().flatMap(List::stream).forEach(MultiEmitter::complete);
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    ticker.every(settings.streamHeartbeat(), "heart-beat of streams", this::beat);
  }

  /**
   * Connects a device until it goes, is cut off, or this process stops.
   *
   * @return its commands; an empty one is a heart-beat, the first comes at once
   */
  Multi<Optional<Command>> connect(String deviceId) {
    return Multi.createFrom()
        .<Optional<Command>>emitter(
            emitter -> {
              emitter.onTermination(() -> close(deviceId, emitter));
              emitter.emit(Optional.empty());
              open(deviceId, emitter);
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
        .forEach(stream -> stream.emit(Optional.of(command)));
    return Uni.createFrom().voidItem();
  }

  private Uni<Void> beat() {
    streams.values().stream()
        .flatMap(List::stream)
        .forEach(stream -> stream.emit(Optional.empty()));
    return Uni.createFrom().voidItem();
  }

  private void open(String deviceId, MultiEmitter<? super Optional<Command>> stream) {
    streams.merge(
        deviceId,
        List.of(stream),
        (known, more) -> Stream.concat(known.stream(), more.stream()).toList());
  }

  private void close(String deviceId, MultiEmitter<? super Optional<Command>> stream) {
    streams.computeIfPresent(
        deviceId,
        (id, known) -> {
          var left = known.stream().filter(other -> other != stream).toList();
          return left.isEmpty() ? null : left;
        });
  }
}
