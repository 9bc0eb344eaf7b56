package dev.fencepost.platform.telemetry;

import io.opentelemetry.api.trace.Span;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A W3C trace context, version 00.
 *
 * @param traceId 32 lower-case hex digits, not all zero
 * @param spanId 16 lower-case hex digits, not all zero
 * @see <a href="https://www.w3.org/TR/trace-context/">Trace Context</a>
 */
public record Trace(String traceId, String spanId) {

  /** How many random bytes a fresh trace needs: 16 for its id, 8 for its first span. */
  public static final int SEED_BYTES = 24;

  private static final Pattern TRACEPARENT =
      Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}");
  private static final int TRACE_ID_BYTES = 16;

  /** Reads a {@code traceparent} header; empty if it is malformed or all zero. */
  public static Optional<Trace> parse(String traceparent) {
    var match = TRACEPARENT.matcher(traceparent);
    return match.matches() && isNotZero(match.group(1)) && isNotZero(match.group(2))
        ? Optional.of(new Trace(match.group(1), match.group(2)))
        : Optional.empty();
  }

  /** The trace a span belongs to; empty for a span that is none. */
  public static Optional<Trace> of(Span span) {
    var context = span.getSpanContext();
    return context.isValid()
        ? Optional.of(new Trace(context.getTraceId(), context.getSpanId()))
        : Optional.empty();
  }

  /** A trace of our own making, from {@link #SEED_BYTES} random bytes. */
  public static Trace fresh(byte[] seed) {
    var hex = HexFormat.of();
    return new Trace(
        hex.formatHex(seed, 0, TRACE_ID_BYTES), hex.formatHex(seed, TRACE_ID_BYTES, SEED_BYTES));
  }

  /** The header by which the next hop joins this trace. */
  public String traceparent() {
    return "00-" + traceId + "-" + spanId + "-01";
  }

  private static boolean isNotZero(String hex) {
    return hex.chars().anyMatch(digit -> digit != '0');
  }
}
