package dev.fencepost.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;

/** What is done to a process from outside. */
enum Signal {
  /** It stands still, in the middle of whatever it is doing. */
  STOP,
  /** It goes on as if nothing had happened. */
  CONT,
  /** It is gone, without a last word. */
  KILL;

  void to(long pid) {
    try {
      var kill = new ProcessBuilder("sh", "-c", "kill -" + name() + " " + pid).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill -" + name() + " " + pid + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
