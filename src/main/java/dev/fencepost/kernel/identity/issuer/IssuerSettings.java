package dev.fencepost.kernel.identity.issuer;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Other issuers whose tokens are taken, by a name of the operator's choice. */
@ConfigMapping(prefix = "fencepost.identity")
public interface IssuerSettings {

  /** By name; the name stands before the subject: {@code corp:alice}. */
  Map<String, Issuer> issuers();

  /** How old a set of keys may be before it is asked for again. */
  @WithDefault("10m")
  Duration jwksRefreshEvery();

  /** A key that is not known is asked for at most this often. */
  @WithDefault("10s")
  Duration jwksAskAtMostEvery();

  /** One issuer. */
  interface Issuer {

    /** Its {@code iss}, to the letter. */
    String issuer();

    /** Where its keys are. The address guard applies. */
    @WithName("jwks-url")
    String jwksUrl();

    /** The {@code aud} that its tokens must have for us. */
    String audience();

    /** Which claim is mapped: a text with blanks between values, or a list. */
    @WithDefault("scope")
    String claim();

    /** What a value of that claim permits here. */
    Map<String, List<String>> permissions();
  }
}
