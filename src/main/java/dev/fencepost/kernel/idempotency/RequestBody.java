package dev.fencepost.kernel.idempotency;

import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/** Reads a body whole, and leaves it to be read again. Its length is bounded by the server. */
final class RequestBody {

  private RequestBody() {}

  static Uni<byte[]> of(RoutingContext request) {
    var context = CurrentRequestManager.get();
    if (context.hasInputStream()) {
      return Uni.createFrom().item(readAgain(context));
    }
    // The endpoint takes none, so nobody has read it.
    var http = request.request();
    return http.isEnded()
        ? Uni.createFrom().item(new byte[0])
        : Uni.createFrom()
            .completionStage(() -> http.resume().body().map(Buffer::getBytes).toCompletionStage());
  }

  private static byte[] readAgain(ResteasyReactiveRequestContext context) {
    try {
      var body = context.getInputStream().readAllBytes();
      context.setInputStream(new ByteArrayInputStream(body));
      return body;
    } catch (IOException e) {
      throw new UncheckedIOException("a body in memory", e);
    }
  }
}
