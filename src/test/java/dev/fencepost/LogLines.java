package dev.fencepost;

import dev.fencepost.chaos.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.jspecify.annotations.Nullable;

/** What is logged until it is closed, at any level, with the facts that a JSON log would show. */
public final class LogLines extends Handler implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** A line as it leaves the process. */
  public record Line(
      String logger,
      String level,
      String text,
      @Nullable Throwable failure,
      @Nullable String method,
      Map<String, String> facts) {}

  private final Logger logger;
  private final @Nullable Level level;
  private final List<Line> lines = new CopyOnWriteArrayList<>();

  private LogLines(String name) {
    logger = Logger.getLogger(name);
    level = logger.getLevel();
    setLevel(Level.ALL);
    logger.addHandler(this);
    logger.setLevel(Level.ALL);
  }

  /** Of a package or class, from now on. */
  public static LogLines of(String name) {
    return new LogLines(name);
  }

  /** The one line that has these words, once it is there. */
  public Line with(String... words) {
    Patience.until("the log has " + List.of(words), LIMIT, () -> !all(words).isEmpty());
    if (all(words).size() > 1) {
      throw new AssertionError("more than one line has " + List.of(words) + ": " + all(words));
    }
    return all(words).get(0);
  }

  /** All lines so far that have these words. */
  public List<Line> all(String... words) {
    return lines.stream()
        .filter(line -> List.of(words).stream().allMatch(line.text::contains))
        .toList();
  }

  @Override
  public void publish(LogRecord some) {
    var line = ExtLogRecord.wrap(some);
    lines.add(
        new Line(
            line.getLoggerName(),
            line.getLevel().getName(),
            line.getFormattedMessage(),
            line.getThrown(),
            line.getSourceMethodName(),
            Map.copyOf(line.getMdcCopy())));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(level);
  }
}
