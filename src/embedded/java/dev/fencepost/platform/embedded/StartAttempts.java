package dev.fencepost.platform.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * Starts a server on a free port. Between finding the port and using it, somebody else may take it;
 * then another is tried.
 *
 * @param name for messages
 * @param launch starts the server on that port, without waiting
 * @param answers whether the server is ready on that port
 */
record StartAttempts(String name, IntFunction<Supervised> launch, IntPredicate answers) {

  private static final int ATTEMPTS = 3;

  /** After a crash, a server reads its whole log first. */
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  private static final String PORT_TAKEN = "Address already in use";

  /** A server that is ready. */
  record Started(Supervised process, int port) {}

  Started run() {
    for (var attempt = 1; ; attempt++) {
      var port = freePort();
      var process = launch.apply(port);
      if (ready(process, () -> answers.test(port))) {
        return new Started(process, port);
      }
      process.stop();
      if (attempt == ATTEMPTS || !process.lastWords().contains(PORT_TAKEN)) {
        throw new StoresUnavailable(
            "embedded %s does not start: %s".formatted(name, process.lastWords()));
      }
    }
  }

  private static boolean ready(Supervised process, BooleanSupplier answers) {
    Patience.until(READY_WITHIN, () -> answers.getAsBoolean() || !process.isAlive());
    return process.isAlive() && answers.getAsBoolean();
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new StoresUnavailable("no free loopback port: " + e, e);
    }
  }
}
