package dev.fencepost.assessment.notification;

import dev.fencepost.assessment.notification.Delivery.Permanent;
import dev.fencepost.assessment.notification.Delivery.RetryLater;
import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.ForbiddenAddress;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.outgoing.OutgoingHttp.Reach;
import dev.fencepost.platform.outgoing.OutgoingHttp.Request;
import dev.fencepost.platform.outgoing.Unreachable;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.HashMap;

/** A channel that is told by one HTTP request, in the dialect of its receiver. */
final class HttpChannel implements Channel {

  /** Answers are a code and a sentence. */
  private static final int MAX_ANSWER_BYTES = 64 * 1024;

  /** What waiting for the budget must leave for the exchange, or it would end in doubt. */
  private static final Duration LEAST_EXCHANGE = Duration.ofSeconds(1);

  private final String name;
  private final ResendPolicy resend;
  private final Dialect dialect;
  private final OutgoingHttp http;
  private final Entropy entropy;

  HttpChannel(
      String name, ResendPolicy resend, Dialect dialect, OutgoingHttp http, Entropy entropy) {
    this.name = name;
    this.resend = resend;
    this.dialect = dialect;
    this.http = http;
    this.entropy = entropy;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ResendPolicy resend() {
    return resend;
  }

  @Override
  public Uni<Delivery> send(Alarm alarm, Effect effect, boolean mayRepeat, Duration timeout) {
    return Uni.createFrom().deferred(() -> whenAllowed(alarm, effect, mayRepeat, timeout));
  }

  private Uni<Delivery> whenAllowed(
      Alarm alarm, Effect effect, boolean mayRepeat, Duration timeout) {
    var slot = dialect.budget().reserve(entropy.nanoTime(), longestWait(timeout));
    if (!slot.granted()) {
      return Uni.createFrom().item(new RetryLater("the rate budget is used up", slot.delay()));
    }
    var exchange =
        Uni.createFrom()
            .deferred(() -> exchange(alarm, effect, mayRepeat, timeout.minus(slot.delay())));
    return slot.delay().isZero()
        ? exchange
        : Uni.createFrom().voidItem().onItem().delayIt().by(slot.delay()).chain(() -> exchange);
  }

  private static Duration longestWait(Duration timeout) {
    var wait = timeout.minus(LEAST_EXCHANGE);
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  private Uni<Delivery> exchange(Alarm alarm, Effect effect, boolean mayRepeat, Duration left) {
    var message = dialect.message(alarm, effect, mayRepeat, entropy.now());
    var headers = new HashMap<>(effect.headers());
    headers.putAll(message.headers());
    return http.send(
            new Request(
                "POST",
                message.target(),
                headers,
                message.body(),
                left,
                MAX_ANSWER_BYTES,
                Reach.GUARDED))
        .map(answer -> dialect.read(answer, entropy.now()))
        .invoke(this::keepQuietIfAsked)
        .onFailure(Unreachable.class)
        .recoverWithItem(Verdicts::withoutAnswer)
        .onFailure(ForbiddenAddress.class)
        .recoverWithItem(failure -> new Permanent(failure.detail()));
  }

  private void keepQuietIfAsked(Delivery delivery) {
    if (delivery instanceof RetryLater later && !later.notBefore().isZero()) {
      dialect.budget().pause(entropy.nanoTime(), later.notBefore());
    }
  }
}
