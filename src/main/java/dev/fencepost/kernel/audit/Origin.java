package dev.fencepost.kernel.audit;

import dev.fencepost.platform.telemetry.Trace;

/** On whose behalf something was written, as events keep it: opaque JSON to the scripts. */
public final class Origin {

  private Origin() {}

  /** Known so far: the trace. A trace id is hex, so nothing needs escaping. */
  public static String of(Trace trace) {
    return "{\"trace_id\":\"" + trace.traceId() + "\"}";
  }
}
