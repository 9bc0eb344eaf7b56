package dev.fencepost.platform.embedded;

import java.util.Map;

/** Stores that answer, until they are closed. */
public interface RunningStores extends AutoCloseable {

  /** The configuration that leads to them, as Quarkus names it. Holds a password. */
  Map<String, String> settings();

  /** Stops what this process started, and blocks until it is gone. Twice is as good as once. */
  @Override
  void close();
}
