package dev.fencepost.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads of a scenario; what goes wrong in one fails the test. */
final class Workers implements AutoCloseable {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> jobs = new ArrayList<>();

  void start(Runnable job) {
    jobs.add(threads.submit(job));
  }

  void awaitAll(long limitSeconds) {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
    try {
      for (var job : jobs) {
        job.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (TimeoutException | InterruptedException e) {
      throw new AssertionError("the load did not end within " + limitSeconds + " s", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
