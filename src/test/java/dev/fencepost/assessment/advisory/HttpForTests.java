package dev.fencepost.assessment.advisory;

import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.outgoing.Unreachable;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.Assertions;

/** The port over the JDK's client; the real adapter is tested where it is. */
final class HttpForTests implements OutgoingHttp {

  private final HttpClient client = HttpClient.newHttpClient();

  @Override
  public Uni<Answer> send(Request request) {
    Assertions.assertThat(request.reach()).isEqualTo(Reach.TRUSTED);
    var sent =
        HttpRequest.newBuilder(request.target())
            .timeout(request.timeout())
            .method(
                request.method(),
                request.body().length == 0
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(request.body()));
    request.headers().forEach(sent::header);
    return Uni.createFrom()
        .completionStage(() -> client.sendAsync(sent.build(), BodyHandlers.ofByteArray()))
        .onFailure()
        .transform(HttpForTests::unreachable)
        .map(HttpForTests::answer);
  }

  private static Answer answer(HttpResponse<byte[]> response) {
    return new Answer(response.statusCode(), Map.of(), response.body());
  }

  private static Throwable unreachable(Throwable failure) {
    var cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof HttpTimeoutException) {
      return new Unreachable(Unreachable.Kind.TIMED_OUT, "timed out");
    }
    if (cause instanceof ConnectException) {
      return new Unreachable(Unreachable.Kind.REFUSED, "refused");
    }
    return cause instanceof IOException
        ? new Unreachable(Unreachable.Kind.BROKEN, String.valueOf(cause.getMessage()))
        : failure;
  }
}
