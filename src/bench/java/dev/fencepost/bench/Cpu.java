package dev.fencepost.bench;

import java.time.Duration;

/** Processor time, user and system together. */
final class Cpu {

  private Cpu() {}

  static Duration ofThisProcess() {
    return of(ProcessHandle.current());
  }

  static Duration of(ProcessHandle process) {
    return process.info().totalCpuDuration().orElseThrow();
  }

  static double microsBetween(Duration before, Duration after) {
    return after.minus(before).toNanos() / 1e3;
  }
}
