package dev.fencepost.assessment.probe;

import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Online means: the device was heard not long ago. */
@ApplicationScoped
class HeartbeatProbe {

  private static final String METHOD = "heartbeat";

  private final DeviceHeartbeats heartbeats;
  private final Entropy entropy;
  private final Duration staleAfter;

  HeartbeatProbe(
      DeviceHeartbeats heartbeats,
      Entropy entropy,
      @ConfigProperty(name = "fencepost.live.heartbeat-timeout", defaultValue = "30s")
          Duration staleAfter) {
    this.heartbeats = heartbeats;
    this.entropy = entropy;
    this.staleAfter = staleAfter;
  }

  Uni<Online> probe(String deviceId, Duration timeout) {
    return heartbeats
        .lastHeartbeat(deviceId)
        .ifNoItem()
        .after(timeout)
        .failWith(
            () ->
                new ProbeFailed(
                    "the last heartbeat was not found within " + timeout.toMillis() + " ms"))
        .map(this::judge);
  }

  private Online judge(Optional<Instant> last) {
    var now = entropy.now();
    return last.map(heard -> judge(heard, now))
        .orElseGet(() -> new Online(false, METHOD, "never sent a heartbeat", now));
  }

  // The replica that heard it dates a heartbeat; a clock that is a little ahead of ours must not
  // give a negative age.
  private Online judge(Instant heard, Instant now) {
    var elapsed = Duration.between(heard, now);
    var age = elapsed.isNegative() ? Duration.ZERO : elapsed;
    return age.compareTo(staleAfter) < 0
        ? new Online(true, METHOD, "heartbeat " + age.toSeconds() + " s ago", now)
        : new Online(false, METHOD, "no heartbeat for " + age.toSeconds() + " s", now);
  }
}
