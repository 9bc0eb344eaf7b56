package dev.fencepost.assessment.probe;

import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Optional;

/** Where the heartbeats of devices are kept. */
public interface DeviceHeartbeats {

  /** When the device was last heard; empty if it never was. */
  Uni<Optional<Instant>> lastHeartbeat(String deviceId);
}
