package dev.fencepost.kernel.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.fencepost.platform.telemetry.Trace;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf something is written, as events keep it.
 *
 * @param userId who asked; empty while nobody is known, and for what the service does by itself
 * @param ipAddress where the request came from; empty for what the service does by itself
 * @param userAgent what the client calls itself, cut to {@link #LONGEST_AGENT} characters
 */
public record Origin(
    Trace trace, Optional<String> userId, Optional<String> ipAddress, Optional<String> userAgent) {

  /** A client may call itself anything; history need not keep all of it. */
  public static final int LONGEST_AGENT = 256;

  /** What the service does by itself: a sweep, a run that was taken over, a time-out. */
  public static Origin ofService(Trace trace) {
    return new Origin(trace, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** What a request did. */
  public static Origin ofRequest(
      Trace trace,
      Optional<String> userId,
      @Nullable String ipAddress,
      @Nullable String userAgent) {
    return new Origin(
        trace,
        userId,
        Optional.ofNullable(ipAddress),
        Optional.ofNullable(userAgent)
            .map(agent -> agent.substring(0, Math.min(agent.length(), LONGEST_AGENT))));
  }

  /** One JSON object, opaque to the scripts: {@code trace_id} and whatever else is known. */
  public String json() {
    var json = JsonNodeFactory.instance.objectNode().put("trace_id", trace.traceId());
    userId.ifPresent(known -> json.put("user_id", known));
    ipAddress.ifPresent(known -> json.put("ip_address", known));
    userAgent.ifPresent(known -> json.put("user_agent", known));
    return json.toString();
  }
}
