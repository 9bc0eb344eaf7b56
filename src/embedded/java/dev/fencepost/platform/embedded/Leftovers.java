package dev.fencepost.platform.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Servers that an earlier process of this data directory left behind. They are known by the program
 * they run, which lies in this very directory; a pid file may be stale and its pid be anyone's.
 */
final class Leftovers {

  /** PostgreSQL writes a checkpoint first. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  private static final Duration DIE_WITHIN = Duration.ofSeconds(5);

  private Leftovers() {}

  /** Returns when none is left. The caller holds the lock of the data directory. */
  static void stop(Path programs, Consumer<String> log) {
    if (running(programs).isEmpty()) {
      return;
    }
    log.accept("stopping servers that an earlier process left behind");
    running(programs).forEach(Leftovers::ask);
    if (!Patience.until(STOP_WITHIN, () -> running(programs).isEmpty())) {
      running(programs).forEach(ProcessHandle::destroyForcibly);
    }
    if (!Patience.until(DIE_WITHIN, () -> running(programs).isEmpty())) {
      throw new StoresUnavailable("cannot stop what still runs from " + programs);
    }
  }

  private static List<ProcessHandle> running(Path programs) {
    return ProcessHandle.allProcesses().filter(process -> runsFrom(programs, process)).toList();
  }

  private static boolean runsFrom(Path programs, ProcessHandle process) {
    return process
        .info()
        .command()
        .filter(command -> Path.of(command).startsWith(programs))
        .isPresent();
  }

  /** SIGINT, because PostgreSQL takes SIGTERM as "when the last client has left". */
  private static void ask(ProcessHandle process) {
    if (!Command.succeeds(List.of("kill", "-s", "INT", Long.toString(process.pid())))
        && process.isAlive()) {
      throw new StoresUnavailable("may not stop process " + process.pid());
    }
  }
}
