package dev.fencepost.chaos;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;

/** A request whose body never comes: it is in flight until its connection is closed. */
final class HalfSentRequest implements AutoCloseable {

  private static final int A_MOMENT_MS = 200;

  private final Socket socket;

  HalfSentRequest(ServiceProcess replica) throws IOException {
    var to = replica.at("/v1/assets/half-sent");
    socket = new Socket(to.getHost(), to.getPort());
    socket
        .getOutputStream()
        .write(
            "PUT %s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
                .formatted(to.getPath(), to.getAuthority(), bearer(to))
                .getBytes(StandardCharsets.US_ASCII));
  }

  /** Without it, the request would be refused before its body is waited for. */
  private static String bearer(URI to) {
    return LoggedIn.asAdmin(HttpRequest.newBuilder(to).build())
        .headers()
        .firstValue("Authorization")
        .orElseThrow();
  }

  /** It must still be in flight, or it proves nothing about requests beside it. */
  void assertUnanswered() throws IOException {
    socket.setSoTimeout(A_MOMENT_MS);
    try {
      throw new AssertionError("answered or cut off: " + socket.getInputStream().read());
    } catch (SocketTimeoutException e) {
      // Silence is what was wanted.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
