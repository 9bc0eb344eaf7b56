package dev.fencepost.platform.embedded;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Starts servers at the same time; all of them run afterwards, or none. */
final class StartTogether {

  private StartTogether() {}

  /** Blocks until each has started or failed. */
  static List<RunningServer> all(List<Supplier<RunningServer>> starts) {
    var starting = starts.stream().map(CompletableFuture::supplyAsync).toList();
    try {
      return starting.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      RunningPair.stopAll(starting.stream().flatMap(StartTogether::success).toList());
      throw e.getCause() instanceof StoresUnavailable reason ? reason : e;
    }
  }

  private static Stream<RunningServer> success(CompletableFuture<RunningServer> starting) {
    try {
      return Stream.of(starting.join());
    } catch (CompletionException e) {
      // The first failure is the one that is reported.
      return Stream.empty();
    }
  }
}
