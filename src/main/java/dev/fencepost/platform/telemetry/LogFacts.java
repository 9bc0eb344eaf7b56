package dev.fencepost.platform.telemetry;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.ExtLogRecord.FormatStyle;
import org.jboss.logmanager.Level;
import org.jspecify.annotations.Nullable;

/**
 * What a log line is about, beside its text: fields of their own under {@code mdc} in JSON logs.
 *
 * <p>They stand on the one line that is written with them. The MDC would not do: it lies in the
 * duplicated Vert.x context, and where the current one is none (a timer's, a connection's), every
 * look at it makes another, so that the line finds nothing of what was put.
 */
public final class LogFacts {

  /** Nothing is known. */
  public static final LogFacts NONE = new LogFacts(Map.of());

  private final Map<String, String> fields;

  private LogFacts(Map<String, String> fields) {
    this.fields = fields;
  }

  public LogFacts trace(Trace trace) {
    return trace(trace.traceId());
  }

  /** With the trace of this id, 32 hex digits. */
  public LogFacts trace(String traceId) {
    return with("trace_id", traceId);
  }

  public LogFacts ticket(String ticketId) {
    return with("ticket_id", ticketId);
  }

  /** With a device or an asset: they go by the same ids. */
  public LogFacts device(String deviceId) {
    return with("device_id", deviceId);
  }

  public LogFacts lane(int number) {
    return with("lane", Integer.toString(number));
  }

  public LogFacts token(long fencingToken) {
    return with("fencing_token", Long.toString(fencingToken));
  }

  private LogFacts with(String field, String value) {
    var more = new TreeMap<>(fields);
    more.put(field, value);
    return new LogFacts(more);
  }

  /**
   * Writes one line that carries facts.
   *
   * @param facts is asked only if the line is written
   * @param format as {@link String#format} takes it
   */
  public static void log(
      Logger log,
      Logger.Level level,
      Supplier<LogFacts> facts,
      String format,
      @Nullable Object... args) {
    log(log, level, facts, null, format, args);
  }

  /** The same with a stack trace. */
  public static void log(
      Logger log,
      Logger.Level level,
      Supplier<LogFacts> facts,
      @Nullable Throwable failure,
      String format,
      @Nullable Object... args) {
    if (log.isEnabled(level)) {
      var line =
          new ExtLogRecord(severity(level), format, FormatStyle.PRINTF, LogFacts.class.getName());
      line.setLoggerName(log.getName());
      line.setParameters(args);
      line.setThrown(failure);
      facts.get().fields.forEach(line::putMdc);
      org.jboss.logmanager.Logger.getLogger(log.getName()).log(line);
    }
  }

  private static Level severity(Logger.Level level) {
    return switch (level) {
      case FATAL -> Level.FATAL;
      case ERROR -> Level.ERROR;
      case WARN -> Level.WARN;
      case INFO -> Level.INFO;
      case DEBUG -> Level.DEBUG;
      case TRACE -> Level.TRACE;
    };
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
