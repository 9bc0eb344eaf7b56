package dev.fencepost.kernel.identity.issuer;

import dev.fencepost.kernel.identity.token.TokenSettings;
import dev.fencepost.kernel.identity.token.TokenText;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The issuers that the operator trusts, besides ourselves. */
@Startup // a mapping to a permission that does not exist stops the start
@ApplicationScoped
public class OutsideIssuers {

  private final Map<String, OutsideIssuer> byIssuer;

  OutsideIssuers(
      IssuerSettings settings, TokenSettings tokens, OutgoingHttp http, Entropy entropy) {
    byIssuer =
        settings.issuers().entrySet().stream()
            .map(
                named ->
                    new OutsideIssuer(
                        named.getKey(),
                        named.getValue(),
                        new RemoteKeys(named.getValue(), settings, tokens, http, entropy),
                        entropy))
            .collect(Collectors.toUnmodifiableMap(OutsideIssuer::issuer, issuer -> issuer));
    if (byIssuer.containsKey(tokens.issuer())) {
      throw new IllegalStateException(
          "fencepost.identity.issuers names our own issuer " + tokens.issuer());
    }
  }

  /** The trusted issuer that a token claims to come from; empty if it claims another. */
  public Optional<OutsideIssuer> issuerOf(TokenText token) {
    @Nullable String claimed = token.claims().path("iss").textValue();
    return claimed == null ? Optional.empty() : Optional.ofNullable(byIssuer.get(claimed));
  }
}
