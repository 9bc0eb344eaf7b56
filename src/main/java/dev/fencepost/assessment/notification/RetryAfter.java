package dev.fencepost.assessment.notification;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How long an answer asks us to wait. */
final class RetryAfter {

  /** A receiver may not silence an alarm for longer than this, whatever it says. */
  static final Duration LONGEST = Duration.ofHours(1);

  private static final int MOST_DIGITS = 9;

  private RetryAfter() {}

  /** What {@code Retry-After} says, seconds or a date; empty if it is absent or makes no sense. */
  static Optional<Duration> of(Answer answer, Instant now) {
    return answer.header("Retry-After").map(String::strip).flatMap(text -> read(text, now));
  }

  /** A header of plain seconds, e.g. {@code x-ogw-ratelimit-reset}. */
  static Optional<Duration> seconds(Answer answer, String header) {
    return answer.header(header).map(String::strip).flatMap(RetryAfter::seconds);
  }

  private static Optional<Duration> read(String text, Instant now) {
    return seconds(text).or(() -> date(text, now));
  }

  private static Optional<Duration> seconds(String text) {
    var isNumber = text.length() <= MOST_DIGITS && text.matches("[0-9]+");
    return isNumber
        ? Optional.of(bounded(Duration.ofSeconds(Long.parseLong(text))))
        : Optional.empty();
  }

  private static Optional<Duration> date(String text, Instant now) {
    try {
      return Optional.of(
          bounded(Duration.between(now, RFC_1123_DATE_TIME.parse(text, Instant::from))));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Duration bounded(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }
}
