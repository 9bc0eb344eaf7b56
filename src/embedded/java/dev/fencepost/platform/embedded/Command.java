package dev.fencepost.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A program that runs to its end. */
final class Command {

  /** The slowest is initdb, which takes 1 s on a laptop. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final int TAIL_LINES = 5;

  private Command() {}

  /** Whether the program ends with 0. One that does not exist does not. */
  static boolean succeeds(List<String> command) {
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      return endedWith0(process);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Runs a program and returns what it printed.
   *
   * @param output takes its output, and keeps it for whoever must find out what went wrong
   * @throws StoresUnavailable with the last lines of its output when it fails
   */
  static String run(Path output, String input, List<String> command) {
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try (var stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      }
      if (!endedWith0(process)) {
        throw new StoresUnavailable(String.join(" ", command) + " failed: " + tail(output));
      }
      return Files.readString(output);
    } catch (IOException e) {
      throw new StoresUnavailable("cannot run " + command.get(0) + ": " + e.getMessage(), e);
    }
  }

  private static boolean endedWith0(Process process) {
    try {
      if (process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        return process.exitValue() == 0;
      }
      process.destroyForcibly();
      return false;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The last lines of a log, on one line. */
  static String tail(Path log) {
    try (var lines = Files.lines(log, StandardCharsets.UTF_8)) {
      var all = lines.filter(line -> !line.isBlank()).toList();
      return all.subList(Math.max(0, all.size() - TAIL_LINES), all.size()).stream()
          .collect(Collectors.joining(" | "));
    } catch (IOException | UncheckedIOException e) {
      return "(" + log + " cannot be read: " + e.getMessage() + ")";
    }
  }
}
