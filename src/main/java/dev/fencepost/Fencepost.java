package dev.fencepost;

import dev.fencepost.kernel.audit.ledger.VerifyAudit;
import dev.fencepost.platform.embedded.OpenStores;
import dev.fencepost.platform.embedded.RunningStores;
import dev.fencepost.platform.embedded.StoresUnavailable;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The process: stores first, then the service; the service last seen, then the stores. */
@QuarkusMain
public final class Fencepost {

  /**
   * How long a signal waits for the service to drain and the stores to stop, in seconds: the
   * default {@code fencepost.shutdown.grace} of 20 s, and as much again for the stores. Whoever is
   * still running then is stopped by its supervisor.
   */
  private static final long STOP_WITHIN_SECONDS = 40;

  private Fencepost() {}

  /** Returns only when the process is about to end. */
  public static void main(String... args) {
    if (args.length > 0 && args[0].equals(VerifyAudit.COMMAND)) {
      System.exit(VerifyAudit.run(List.of(args).subList(1, args.length), System.out));
    }
    try {
      serve(OpenStores.open(System.out::println), args);
    } catch (StoresUnavailable e) {
      System.err.println("fencepost: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void serve(RunningStores stores, String... args) {
    var stopped = new CountDownLatch(1);
    Runnable stop =
        () -> {
          stores.close();
          stopped.countDown();
        };
    holdTheExitUntil(stopped);
    stopBeforeExit(stop);
    try {
      Quarkus.run(args);
    } catch (RuntimeException | Error e) {
      stop.run();
      throw e;
    }
  }

  /** Quarkus calls its exit handler on this thread, once it has stopped or failed to start. */
  private static void stopBeforeExit(Runnable stop) {
    var exit = ApplicationLifecycleManager.getDefaultExitCodeHandler();
    ApplicationLifecycleManager.setDefaultExitCodeHandler(
        (code, failure) -> {
          ApplicationLifecycleManager.setDefaultExitCodeHandler(exit);
          stop.run();
          exit.accept(code, failure);
        });
  }

  /**
   * On a signal the JVM ends when its shutdown hooks have returned. Quarkus' own hook returns when
   * the service has drained, before this thread could stop the stores; so one more hook waits.
   */
  private static void holdTheExitUntil(CountDownLatch stopped) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitOrWarn(stopped), "stores stop"));
  }

  private static void awaitOrWarn(CountDownLatch stopped) {
    try {
      if (!stopped.await(STOP_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("fencepost: not drained after " + STOP_WITHIN_SECONDS + " s, leaving");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
