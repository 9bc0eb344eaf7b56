package dev.fencepost.kernel.identity.issuer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.kernel.identity.token.SignatureCheck;
import dev.fencepost.kernel.identity.token.TokenRefused;
import dev.fencepost.kernel.identity.token.TokenRefused.Reason;
import dev.fencepost.kernel.identity.token.TokenSettings;
import dev.fencepost.platform.outgoing.ForbiddenAddress;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import dev.fencepost.platform.outgoing.OutgoingHttp.Reach;
import dev.fencepost.platform.outgoing.OutgoingHttp.Request;
import dev.fencepost.platform.outgoing.Unreachable;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import java.net.URI;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an issuer, kept. While it does not answer, known keys stay good and unknown ones stay
 * refused; a stranger's {@code kid} makes us ask at a bounded rate, and never anywhere else.
 */
final class RemoteKeys {

  private static final Logger LOG = Logger.getLogger(RemoteKeys.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final int MAX_BYTES = 256 * 1024;
  private static final int OK = 200;

  private final IssuerSettings.Issuer issuer;
  private final IssuerSettings settings;
  private final TokenSettings tokens;
  private final OutgoingHttp http;
  private final Entropy entropy;
  private final AtomicLong askedAt;
  private volatile Map<String, SignatureCheck> checks = Map.of();
  private volatile @Nullable Uni<Boolean> asking;

  RemoteKeys(
      IssuerSettings.Issuer issuer,
      IssuerSettings settings,
      TokenSettings tokens,
      OutgoingHttp http,
      Entropy entropy) {
    this.issuer = issuer;
    this.settings = settings;
    this.tokens = tokens;
    this.http = http;
    this.entropy = entropy;
    this.askedAt = new AtomicLong(entropy.nanoTime() - settings.jwksRefreshEvery().toNanos());
  }

  /** The check by a key; fails with {@link TokenRefused} if the issuer is not known to have it. */
  Uni<SignatureCheck> checkFor(String kid) {
    var known = checks.get(kid);
    var limit = known == null ? settings.jwksAskAtMostEvery() : settings.jwksRefreshEvery();
    if (isMyTurn(limit)) {
      asking = ask().onTermination().invoke(() -> asking = null).memoize().indefinitely();
    }
    var answer = asking;
    return answer == null
        ? Uni.createFrom().item(() -> require(kid))
        : answer.map(done -> require(kid));
  }

  private SignatureCheck require(String kid) {
    var check = checks.get(kid);
    if (check == null) {
      throw new TokenRefused(Reason.UNKNOWN_KEY);
    }
    return check;
  }

  private boolean isMyTurn(Duration limit) {
    var last = askedAt.get();
    var now = entropy.nanoTime();
    return now - last >= limit.toNanos() && askedAt.compareAndSet(last, now);
  }

  private Uni<Boolean> ask() {
    return http.send(
            new Request(
                "GET",
                URI.create(issuer.jwksUrl()),
                Map.of("Accept", "application/json"),
                new byte[0],
                TIMEOUT,
                MAX_BYTES,
                Reach.GUARDED))
        .map(this::learn)
        .onFailure(failure -> failure instanceof Unreachable || failure instanceof ForbiddenAddress)
        .recoverWithItem(
            failure -> {
              LOG.warnf("keys of %s: %s", issuer.issuer(), failure.getMessage());
              return false;
            });
  }

  private boolean learn(Answer answer) {
    try {
      if (answer.status() != OK) {
        throw new JoseException("HTTP " + answer.status());
      }
      var set = new JsonWebKeySet(new String(answer.body(), UTF_8));
      checks =
          set.getJsonWebKeys().stream()
              .filter(key -> key.getKeyId() != null && key.getKey() instanceof RSAPublicKey)
              .collect(
                  Collectors.toUnmodifiableMap(
                      JsonWebKey::getKeyId, this::check, (first, second) -> first));
      return true;
    } catch (JoseException e) {
      LOG.warnf("keys of %s: the answer is no key set: %s", issuer.issuer(), e.getMessage());
      return false;
    }
  }

  private SignatureCheck check(JsonWebKey key) {
    return new SignatureCheck(
        (RSAPublicKey) key.getKey(), issuer.issuer(), issuer.audience(), tokens.leeway());
  }
}
