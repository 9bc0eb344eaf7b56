package dev.fencepost.kernel.idempotency;

import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/** Reads a body whole, and leaves it to be read again. Its length is bounded by the server. */
@ApplicationScoped
class RequestBody {

  Uni<byte[]> of(ContainerRequestContext context, RoutingContext request) {
    if (isRead(context)) {
      return Uni.createFrom().item(readAgain(context));
    }
    // The endpoint takes none, so nobody has read it.
    var http = request.request();
    return http.isEnded()
        ? Uni.createFrom().item(new byte[0])
        : Uni.createFrom()
            .completionStage(() -> http.resume().body().map(Buffer::getBytes).toCompletionStage());
  }

  private static boolean isRead(ContainerRequestContext context) {
    var ours = ((ResteasyReactiveContainerRequestContext) context).getServerRequestContext();
    return ((ResteasyReactiveRequestContext) ours).hasInputStream();
  }

  private static byte[] readAgain(ContainerRequestContext context) {
    try {
      var body = context.getEntityStream().readAllBytes();
      context.setEntityStream(new ByteArrayInputStream(body));
      return body;
    } catch (IOException e) {
      throw new UncheckedIOException("a body in memory", e);
    }
  }
}
