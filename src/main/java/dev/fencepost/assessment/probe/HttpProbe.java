package dev.fencepost.assessment.probe;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.ForbiddenAddress;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.outgoing.OutgoingHttp.Reach;
import dev.fencepost.platform.outgoing.OutgoingHttp.Request;
import dev.fencepost.platform.outgoing.Unreachable;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/** Online means: an answer from 200 to 499. A 5xx often comes from a proxy in front of nothing. */
@ApplicationScoped
class HttpProbe {

  private static final String METHOD = "http";

  /** The status decides; a camera's page may be a stream without end. */
  private static final int NO_BODY = 0;

  private static final int FIRST_SUCCESS = 200;
  private static final int FIRST_SERVER_ERROR = 500;

  private final OutgoingHttp http;
  private final Entropy entropy;

  HttpProbe(OutgoingHttp http, Entropy entropy) {
    this.http = http;
    this.entropy = entropy;
  }

  Uni<Online> probe(URI address, Effect effect, Duration timeout) {
    var request =
        new Request("GET", address, effect.headers(), new byte[0], timeout, NO_BODY, Reach.GUARDED);
    return Uni.createFrom().deferred(() -> send(request, new Stopwatch(entropy)));
  }

  private Uni<Online> send(Request request, Stopwatch watch) {
    var scheme = String.valueOf(request.target().getScheme()).toLowerCase(Locale.ROOT);
    return http.send(request)
        .map(answer -> watch.saw(isOnline(answer.status()), METHOD, scheme + " " + answer.status()))
        .onFailure(Unreachable.class)
        .recoverWithUni(e -> NoAnswerMeans.judge(e, METHOD, scheme, request.timeout(), watch))
        .onFailure(ForbiddenAddress.class)
        .transform(e -> new ProbeFailed(e.detail()));
  }

  private static boolean isOnline(int status) {
    return status >= FIRST_SUCCESS && status < FIRST_SERVER_ERROR;
  }
}
