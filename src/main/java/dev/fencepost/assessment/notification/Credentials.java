package dev.fencepost.assessment.notification;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a channel's receiver is and what it shares with us. The URL is a credential too. */
final class Credentials {

  private static final String MASK = "***";

  /** Shorter pieces of a URL are words such as {@code send}, not tokens. */
  private static final int SHORTEST_TOKEN = 8;

  private final URI url;
  private final @Nullable String secret;

  Credentials(URI url, @Nullable String secret) {
    this.url = url;
    this.secret = secret;
  }

  URI url() {
    return url;
  }

  Optional<String> secret() {
    return Optional.ofNullable(secret);
  }

  /** A receiver's words, should they quote what must not be shown. */
  String mask(String words) {
    var masked = words;
    for (var token : tokens()) {
      masked = masked.replace(token, MASK);
    }
    return masked;
  }

  private List<String> tokens() {
    var ofUrl =
        Stream.of(url.getRawPath(), url.getRawQuery(), url.getRawUserInfo())
            .flatMap(part -> part == null ? Stream.empty() : Stream.of(part.split("[/?&=:]")))
            .filter(token -> token.length() >= SHORTEST_TOKEN);
    return Stream.concat(ofUrl, secret().stream().filter(token -> !token.isEmpty())).toList();
  }
}
