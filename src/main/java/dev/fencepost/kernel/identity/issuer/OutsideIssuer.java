package dev.fencepost.kernel.identity.issuer;

import dev.fencepost.kernel.identity.Caller;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.kernel.identity.token.TokenRefused;
import dev.fencepost.kernel.identity.token.TokenRefused.Reason;
import dev.fencepost.kernel.identity.token.TokenText;
import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** An issuer that the operator trusts, and what its claims permit here. */
public final class OutsideIssuer {

  private final String name;
  private final IssuerSettings.Issuer settings;
  private final RemoteKeys keys;
  private final Entropy entropy;
  private final Map<String, Set<Permission>> permissions;

  OutsideIssuer(String name, IssuerSettings.Issuer settings, RemoteKeys keys, Entropy entropy) {
    this.name = name;
    this.settings = settings;
    this.keys = keys;
    this.entropy = entropy;
    this.permissions =
        settings.permissions().entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> parse(name, entry.getValue())));
  }

  String issuer() {
    return settings.issuer();
  }

  /**
   * Verifies a token of this issuer.
   *
   * @return the caller {@code <name>:<sub>}; fails with {@link TokenRefused}
   */
  public Uni<Caller> prove(TokenText token) {
    return keys.checkFor(token.kid())
        .map(check -> check.verify(token, entropy.now()))
        .map(verified -> caller(token));
  }

  private Caller caller(TokenText verified) {
    var userId = name + ":" + verified.claims().path("sub").asText();
    if (!Identifier.isValid(userId)) {
      throw new TokenRefused(Reason.UNKNOWN_SUBJECT);
    }
    return new Caller(
        userId,
        values(verified)
            .flatMap(value -> permissions.getOrDefault(value, Set.of()).stream())
            .collect(Collectors.toUnmodifiableSet()));
  }

  private Stream<String> values(TokenText verified) {
    var claim = verified.claims().path(settings.claim());
    return claim.isTextual()
        ? Stream.of(claim.textValue().split(" "))
        : StreamSupport.stream(claim.spliterator(), false).map(value -> value.asText());
  }

  private static Set<Permission> parse(String issuer, List<String> names) {
    return names.stream()
        .map(
            name ->
                Permission.parse(name)
                    .orElseThrow(
                        () ->
                            new IllegalStateException(
                                "fencepost.identity.issuers.%s.permissions: there is no %s"
                                    .formatted(issuer, name))))
        .collect(Collectors.toUnmodifiableSet());
  }
}
