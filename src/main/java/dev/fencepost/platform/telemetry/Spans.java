package dev.fencepost.platform.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Begins spans of work that outlives the request it belongs to. They cost nothing unless traces are
 * exported ({@code quarkus.otel.sdk.disabled=false}).
 */
@ApplicationScoped
public class Spans {

  private final Tracer tracer;

  Spans(Tracer tracer) {
    this.tracer = tracer;
  }

  /** A span below whatever a trace names as its last one; whoever began it ends it. */
  public Span begin(String name, Trace trace) {
    var parent =
        SpanContext.createFromRemoteParent(
            trace.traceId(), trace.spanId(), TraceFlags.getSampled(), TraceState.getDefault());
    return tracer.spanBuilder(name).setParent(Context.root().with(Span.wrap(parent))).startSpan();
  }
}
