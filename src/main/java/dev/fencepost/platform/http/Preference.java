package dev.fencepost.platform.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** How long a client prefers to wait for the end, as {@code Prefer: wait=N} says (RFC 7240). */
public record Preference(Duration patience) {

  private static final long LONGEST_SECONDS = 60;
  private static final Pattern WAIT = Pattern.compile("(?i)\\s*wait\\s*=\\s*\"?(\\d{1,9})\"?\\s*");

  /**
   * Reads the headers. A preference that is not understood is ignored, as the RFC asks; a longer
   * wait than {@value #LONGEST_SECONDS} s becomes that.
   */
  public static Optional<Preference> of(List<String> headers) {
    return headers.stream()
        .flatMap(header -> Pattern.compile("[,;]").splitAsStream(header))
        .map(WAIT::matcher)
        .filter(match -> match.matches())
        .map(match -> Math.min(LONGEST_SECONDS, Long.parseLong(match.group(1))))
        .map(seconds -> new Preference(Duration.ofSeconds(seconds)))
        .findFirst();
  }

  /** The header by which the answer says what was done. */
  public String applied() {
    return "wait=" + patience.toSeconds();
  }
}
