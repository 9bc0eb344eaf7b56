package dev.fencepost.assessment.advisory;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.ForbiddenAddress;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import dev.fencepost.platform.outgoing.OutgoingHttp.Reach;
import dev.fencepost.platform.outgoing.OutgoingHttp.Request;
import dev.fencepost.platform.outgoing.Unreachable;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Requests to the OSV API, repeated while the reason of a failure may pass. The caller's time limit
 * for the whole step ends them from outside.
 */
final class OsvCalls {

  /** OSV answers at most 32 MiB over HTTP/1.1; more than that is not an answer of OSV. */
  private static final int MAX_ANSWER_BYTES = 33 << 20;

  /** Read within a millisecond. */
  private static final int SHORT_ANSWER_BYTES = 64 << 10;

  /** The part of a wait that chance may take away, so that many callers do not return at once. */
  private static final double JITTER = 0.5;

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;

  /** A failure that may pass. */
  private static final class Passing extends RuntimeException {

    Passing(String message) {
      super(message, null, false, false);
    }
  }

  private final OutgoingHttp http;
  private final AdvisorySettings.OsvApi settings;
  private final Entropy entropy;

  OsvCalls(OutgoingHttp http, AdvisorySettings.OsvApi settings, Entropy entropy) {
    this.http = http;
    this.settings = settings;
    this.entropy = entropy;
  }

  Uni<Answer> post(String path, byte[] body, Effect effect) {
    return send(request("POST", path, body, effect), 0);
  }

  Uni<Answer> get(String path, Effect effect) {
    return send(request("GET", path, new byte[0], effect), 0);
  }

  /**
   * Sends and sends again.
   *
   * @return an answer with status 200, 400 or 404; a long one comes on a worker thread
   */
  private Uni<Answer> send(Request request, int retries) {
    return http.send(request)
        .onFailure(Unreachable.class)
        .transform(OsvCalls::failure)
        .onFailure(ForbiddenAddress.class)
        .transform(e -> new AdvisoriesUnavailable("the OSV API may not be asked: " + said(e)))
        .map(OsvCalls::usable)
        .onFailure(Passing.class)
        .recoverWithUni(e -> again(request, retries, said(e)))
        .flatMap(OsvCalls::offTheLoopIfLong);
  }

  private static Uni<Answer> offTheLoopIfLong(Answer answer) {
    var known = Uni.createFrom().item(answer);
    return answer.body().length > SHORT_ANSWER_BYTES
        ? known.emitOn(Infrastructure.getDefaultWorkerPool())
        : known;
  }

  private Uni<Answer> again(Request request, int retries, String reason) {
    return retries >= settings.maxRetries()
        ? Uni.createFrom().failure(new AdvisoriesUnavailable(reason))
        : Uni.createFrom()
            .voidItem()
            .onItem()
            .delayIt()
            .by(backoff(retries))
            .flatMap(now -> send(request, retries + 1));
  }

  private Duration backoff(int retries) {
    var doubled = settings.backoff().multipliedBy(1L << retries);
    var bounded = doubled.compareTo(settings.maxBackoff()) < 0 ? doubled : settings.maxBackoff();
    var kept = 1 - JITTER * entropy.fraction();
    return Duration.ofNanos(1 + (long) ((double) bounded.toNanos() * kept));
  }

  private static Throwable failure(Throwable unreachable) {
    var message = "the OSV API gave no answer: " + said(unreachable);
    return unreachable instanceof Unreachable u && u.kind() == Unreachable.Kind.TOO_LARGE
        ? new AdvisoriesUnavailable(message)
        : new Passing(message);
  }

  private static Answer usable(Answer answer) {
    var status = answer.status();
    if (status == OK || status == BAD_REQUEST || status == NOT_FOUND) {
      return answer;
    }
    var message = "the OSV API answered " + status;
    if (status == TOO_MANY_REQUESTS || status >= SERVER_ERROR) {
      throw new Passing(message);
    }
    throw new AdvisoriesUnavailable(message);
  }

  private Request request(String method, String path, byte[] body, Effect effect) {
    var headers = new HashMap<>(effect.headers());
    headers.putAll(Map.of("Content-Type", "application/json", "Accept", "application/json"));
    return new Request(
        method,
        URI.create(settings.url().replaceFirst("/+$", "") + path),
        headers,
        body,
        settings.requestTimeout(),
        MAX_ANSWER_BYTES,
        Reach.TRUSTED);
  }

  private static String said(Throwable e) {
    return String.valueOf(e.getMessage());
  }
}
