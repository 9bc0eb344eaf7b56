package dev.fencepost.command;

import io.smallrye.mutiny.Uni;

/** A way to devices: where they can be reached from this process, and how. */
public interface DeviceChannel {

  /** Whether this channel, in this process, has a connection on which the device listens now. */
  boolean isConnected(String deviceId);

  /** Whether what is sent may reach the device, though nobody can tell whether it listens. */
  default boolean mayReach(String deviceId) {
    return isConnected(deviceId);
  }

  /** True if nobody can be reached through it now: then nothing needs to be looked for. */
  boolean isIdle();

  /**
   * Hands a command over. It was claimed, so nobody else sends it now; if it is lost on the way, it
   * is sent again unless its device answers.
   */
  Uni<Void> send(Command command);
}
