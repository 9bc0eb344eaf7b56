package dev.fencepost.platform.embedded;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Both servers and the right to their data. */
final class RunningPair implements RunningStores {

  private final List<RunningServer> servers;
  private final DirectoryLock lock;
  private final AtomicBoolean closed = new AtomicBoolean();

  RunningPair(List<RunningServer> servers, DirectoryLock lock) {
    this.servers = List.copyOf(servers);
    this.lock = lock;
  }

  @Override
  public Map<String, String> settings() {
    var settings = new HashMap<>(Map.of("fencepost.embedded", "true"));
    servers.forEach(server -> settings.putAll(server.settings()));
    return settings;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      stopAll(servers);
      lock.close();
    }
  }

  /** All are asked before one is waited for. */
  static void stopAll(List<RunningServer> servers) {
    servers.forEach(server -> server.process().ask());
    servers.forEach(server -> server.process().stop());
  }
}
