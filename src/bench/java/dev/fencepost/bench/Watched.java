package dev.fencepost.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every command that Redis runs while something is done, as {@code MONITOR} shows it. */
record Watched(List<String> sent, int inScripts) {

  private static final String END = "the-end-of-watching";

  /** Watches; slows Redis down, so nothing is timed meanwhile. */
  static Watched during(Stores stores, Runnable work) {
    try (var watch = stores.resp();
        var other = stores.resp()) {
      watch.send("MONITOR");
      work.run();
      other.send("ECHO", END);
      return read(watch);
    }
  }

  private static Watched read(Resp watch) {
    var sent = new ArrayList<String>();
    var inScripts = 0;
    for (var line = watch.line(); !line.contains(END); line = watch.line()) {
      if (line.substring(0, line.indexOf(']')).endsWith(" lua")) {
        inScripts++;
      } else {
        sent.add(line.substring(line.indexOf(']') + 2).toLowerCase(Locale.ROOT));
      }
    }
    return new Watched(sent, inScripts);
  }

  /** The commands sent, by their first words; a script shows its digest. */
  long sent(String... beginnings) {
    return sent.stream()
        .filter(
            line -> {
              for (var beginning : beginnings) {
                if (line.startsWith(beginning)) {
                  return true;
                }
              }
              return false;
            })
        .count();
  }
}
