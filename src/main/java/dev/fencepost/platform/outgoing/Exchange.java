package dev.fencepost.platform.outgoing;

import static dev.fencepost.platform.outgoing.Unreachable.Kind.TIMED_OUT;
import static dev.fencepost.platform.outgoing.Unreachable.Kind.TOO_LARGE;

import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import dev.fencepost.platform.outgoing.OutgoingHttp.Request;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. The whole chain is built on one event loop: a handler registered from
 * another thread can come after the answer it was meant for.
 */
final class Exchange {

  /** Whether the request may be out. Whoever changes it first decides, sender or clock. */
  private enum Phase {
    CONNECTING,
    SENT,
    ABANDONED
  }

  private final Request request;
  private final Endpoint endpoint;
  private final RequestOptions options;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.CONNECTING);
  private volatile boolean finished;
  private volatile @Nullable HttpClientRequest opened;

  Exchange(Request request, Endpoint endpoint, RequestOptions options) {
    this.request = request;
    this.endpoint = endpoint;
    this.options = options;
  }

  Uni<Answer> run(Vertx vertx, HttpClient client, Duration limit) {
    return Uni.createFrom()
        .<Answer>emitter(
            emitter -> {
              emitter.onTermination(this::abandon);
              vertx.runOnContext(onLoop -> begin(client, emitter));
            })
        .ifNoItem()
        .after(limit)
        .failWith(this::timedOut);
  }

  private void begin(HttpClient client, UniEmitter<? super Answer> emitter) {
    Future.succeededFuture(options)
        .compose(client::request)
        .compose(this::send)
        .compose(this::read)
        .onComplete(
            answer -> {
              finished = true;
              if (answer.succeeded()) {
                emitter.complete(answer.result());
              } else {
                emitter.fail(NoAnswer.of(answer.cause(), endpoint, isSent()));
              }
            });
  }

  private Future<HttpClientResponse> send(HttpClientRequest connected) {
    opened = connected;
    // What breaks reaches us as the answer's failure. Without handlers Vert.x logs it as well, as
    // an
    // error, and quotes the other side.
    connected.connection().exceptionHandler(failure -> {});
    connected.exceptionHandler(failure -> {});
    if (!phase.compareAndSet(Phase.CONNECTING, Phase.SENT)) {
      connected.connection().close();
      return Future.failedFuture(timedOut());
    }
    return request.body().length == 0
        ? connected.send()
        : connected.send(Buffer.buffer(request.body()));
  }

  private Future<Answer> read(HttpClientResponse response) {
    if (request.maxAnswerBytes() == 0) {
      finished = true;
      response.exceptionHandler(closedByUs -> {});
      response.request().connection().close();
      return Future.succeededFuture(answer(response, Buffer.buffer()));
    }
    var answer = Promise.<Answer>promise();
    var body = Buffer.buffer();
    response.exceptionHandler(answer::tryFail);
    response.endHandler(end -> answer.tryComplete(answer(response, body)));
    response.handler(
        chunk -> {
          if (body.length() + chunk.length() <= request.maxAnswerBytes()) {
            body.appendBuffer(chunk);
          } else if (answer.tryFail(tooLarge())) {
            response.request().connection().close();
          }
        });
    return answer.future();
  }

  private static Answer answer(HttpClientResponse response, Buffer body) {
    var headers = new HashMap<String, String>();
    response
        .headers()
        .forEach((name, value) -> headers.putIfAbsent(name.toLowerCase(Locale.ROOT), value));
    return new Answer(response.statusCode(), headers, body.getBytes());
  }

  /** The caller is gone or out of time: what is not out stays in, and what is out is hung up. */
  private void abandon() {
    phase.compareAndSet(Phase.CONNECTING, Phase.ABANDONED);
    var current = opened;
    if (current != null && !finished) {
      current.connection().close();
    }
  }

  private boolean isSent() {
    return phase.get() == Phase.SENT;
  }

  private Unreachable timedOut() {
    phase.compareAndSet(Phase.CONNECTING, Phase.ABANDONED);
    return new Unreachable(
        TIMED_OUT,
        endpoint + " did not " + (isSent() ? "answer" : "accept a connection") + " in time",
        isSent());
  }

  private Unreachable tooLarge() {
    return new Unreachable(
        TOO_LARGE,
        endpoint + " answered with more than " + request.maxAnswerBytes() + " bytes",
        true);
  }
}
