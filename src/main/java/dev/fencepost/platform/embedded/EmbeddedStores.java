package dev.fencepost.platform.embedded;

import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/** A real Redis and a real PostgreSQL that live and die with this process. */
public interface EmbeddedStores {

  /**
   * Starts both, with what {@code dataDir} holds from earlier runs; blocks until both answer.
   *
   * @param dataDir made if it is missing; belongs to one process at a time
   * @param log takes one readable line per step
   * @throws StoresUnavailable when one cannot be started; the other is stopped again
   */
  RunningStores start(Path dataDir, Consumer<String> log);

  /** The stores that came with this build; a native build has none. */
  static Optional<EmbeddedStores> bundled() {
    return ServiceLoader.load(EmbeddedStores.class, EmbeddedStores.class.getClassLoader())
        .findFirst();
  }
}
