package dev.fencepost.platform.outgoing;

import static dev.fencepost.platform.outgoing.Unreachable.Kind.BROKEN;
import static dev.fencepost.platform.outgoing.Unreachable.Kind.NO_ROUTE;
import static dev.fencepost.platform.outgoing.Unreachable.Kind.REFUSED;
import static dev.fencepost.platform.outgoing.Unreachable.Kind.TIMED_OUT;
import static dev.fencepost.platform.outgoing.Unreachable.Kind.UNKNOWN_HOST;

import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClosedException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** What Vert.x, Netty and the JDK throw, as one of our kinds. */
final class NoAnswer {

  private NoAnswer() {}

  /**
   * Names a failure. The message shows host and port and no more: what a library says may quote the
   * URL or the answer.
   */
  static Unreachable of(Throwable failure, Endpoint endpoint, boolean sent) {
    if (failure instanceof Unreachable known) {
      return known;
    }
    var kind = kind(failure);
    return new Unreachable(kind, endpoint + " " + words(kind, failure), sent);
  }

  private static Unreachable.Kind kind(Throwable failure) {
    // Order matters: a connect time-out is a ConnectException too, and so is a full local pool.
    if (failure instanceof io.netty.channel.ConnectTimeoutException
        || failure instanceof TimeoutException) {
      return TIMED_OUT;
    }
    if (failure instanceof ConnectionPoolTooBusyException || failure instanceof BindException) {
      return BROKEN;
    }
    if (failure instanceof NoRouteToHostException) {
      return NO_ROUTE;
    }
    if (failure instanceof UnknownHostException) {
      return UNKNOWN_HOST;
    }
    if (failure instanceof ConnectException) {
      return says(failure, "timed out") ? TIMED_OUT : REFUSED;
    }
    return failure instanceof SocketException && says(failure, "unreachable") ? NO_ROUTE : BROKEN;
  }

  private static boolean says(Throwable failure, String words) {
    return failure.getMessage() != null && failure.getMessage().contains(words);
  }

  private static String words(Unreachable.Kind kind, Throwable failure) {
    return switch (kind) {
      case REFUSED -> "refused the connection";
      case TIMED_OUT -> "did not answer in time";
      case NO_ROUTE -> "has no route";
      case UNKNOWN_HOST -> "does not resolve";
      case TOO_LARGE -> "answered with more than allowed";
      case BROKEN -> broken(failure);
    };
  }

  private static String broken(Throwable failure) {
    if (failure instanceof ConnectionPoolTooBusyException) {
      return "has too many requests waiting for it here";
    }
    if (failure instanceof BindException) {
      return "cannot be connected to: no local address or port is free";
    }
    if (failure instanceof SSLException) {
      return "did not complete a TLS handshake that can be trusted";
    }
    return failure instanceof HttpClosedException
        ? "closed the connection without an answer"
        : "broke the exchange (" + failure.getClass().getSimpleName() + ")";
  }
}
