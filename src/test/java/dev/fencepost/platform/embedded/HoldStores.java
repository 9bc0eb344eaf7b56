package dev.fencepost.platform.embedded;

import dev.fencepost.RedisByHand;
import java.io.IOException;
import java.nio.file.Path;

/** A process for tests to kill: it starts stores, writes, says so, and stays. */
final class HoldStores {

  private HoldStores() {}

  /** The arguments are the data directory and a Redis command to run. */
  public static void main(String... args) throws IOException {
    var stores = EmbeddedStores.bundled().orElseThrow().start(Path.of(args[0]), line -> {});
    System.out.println(RedisByHand.of(stores.settings()).line(args[1]));
    while (System.in.read() >= 0) {
      // Input only ends when the test does.
    }
    stores.close();
  }
}
