package dev.fencepost.platform.outgoing;

import io.smallrye.mutiny.Uni;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** HTTP requests to the outside. Redirects are answers here: nothing follows one. */
public interface OutgoingHttp {

  /**
   * Sends one request, once.
   *
   * @return the answer, whatever its status; fails with {@link Unreachable} when there is none
   *     (refused, reset, timed out, too large, name unknown) and with {@link ForbiddenAddress} when
   *     the address guard does not allow the target
   */
  Uni<Answer> send(Request request);

  /** Whether the target was named by the operator or comes from a tenant. */
  enum Reach {
    /** An address from configuration that the operator vouches for: feeds, advisory sources. */
    TRUSTED,
    /** Probes and webhooks: the resolved address must be allowed, and is the one connected to. */
    GUARDED
  }

  /**
   * What to send, and how much to wait for.
   *
   * @param timeout for the whole exchange, name lookup and connecting included
   * @param maxAnswerBytes a longer answer body is {@link Unreachable}; 0: the body is not wanted,
   *     the answer is there with its headers and the connection is closed (streams have no end)
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, only carried
  record Request(
      String method,
      URI target,
      Map<String, String> headers,
      byte[] body,
      Duration timeout,
      int maxAnswerBytes,
      Reach reach) {

    public Request {
      headers = Map.copyOf(headers);
    }

    /** Without path, query, headers and body: each of them may be a credential. */
    @Override
    public String toString() {
      return method + " to " + Endpoint.describe(target);
    }
  }

  /**
   * What came back.
   *
   * @param headers names in lower case; of a repeated header, the first value
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, only carried
  record Answer(int status, Map<String, String> headers, byte[] body) {

    public Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }
  }
}
