package dev.fencepost.command;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How commands are sent, repeated and given up. */
@ConfigMapping(prefix = "fencepost.command")
public interface CommandSettings {

  /** The first pause before an unanswered command is sent again; doubled at every sending. */
  @WithDefault("5s")
  Duration ackTimeout();

  /**
   * How long a device that has a command may take for it, before it is sent again: its word on the
   * outcome may have been lost.
   */
  @WithDefault("30s")
  Duration appliedTimeout();

  /** How many sendings are enough; after these, only the device's return causes another. */
  @WithDefault("5")
  int maxSends();

  /** How long a command may go without confirmation before it is given up. */
  @WithDefault("10m")
  Duration expiresAfter();

  /** How often a process looks for commands of devices that are connected to it. */
  @WithDefault("250ms")
  Duration lookEvery();

  /** How long an ended command, and the session it stopped, stay in Redis. */
  @WithDefault("24h")
  Duration keepEnded();

  /** The period of comments on a device's stream, so that a dead connection shows. */
  @WithDefault("15s")
  Duration streamHeartbeat();

  /** How often the caller of an open stream is judged anew: its token may be over by then. */
  @WithDefault("1s")
  Duration streamLookEvery();

  /** How many events may wait for one slow device before its stream is cut off. */
  @WithDefault("64")
  int streamBuffer();
}
