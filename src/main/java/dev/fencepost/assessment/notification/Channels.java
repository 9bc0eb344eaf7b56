package dev.fencepost.assessment.notification;

import dev.fencepost.assessment.notification.NotifyConfig.ChannelConfig;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** The channels that are configured. A mistake in one stops the start, not the first alarm. */
@Startup
@ApplicationScoped
public class Channels {

  private static final Logger LOG = Logger.getLogger(Channels.class);

  /** A name stands in ids and in Standard Webhooks' signed text, which dots divide. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

  private final List<Channel> channels;

  Channels(NotifyConfig config, OutgoingHttp http, Entropy entropy) {
    this.channels =
        config.channels().isEmpty()
            ? List.of(new LogChannel())
            : config.channels().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> channel(entry.getKey(), entry.getValue(), http, entropy))
                .toList();
  }

  /** All of them, in the order of their names; the log if none is configured. */
  public List<Channel> all() {
    return channels;
  }

  /** The one with that name, which may have been configured away since a ticket recorded it. */
  public Optional<Channel> named(String name) {
    return channels.stream().filter(channel -> channel.name().equals(name)).findFirst();
  }

  /** What to do about doubt on a channel; one that is gone is not asked again. */
  public ResendPolicy resendPolicyOf(String name) {
    return named(name).map(Channel::resend).orElse(ResendPolicy.NEVER);
  }

  private static Channel channel(
      String name, ChannelConfig config, OutgoingHttp http, Entropy entropy) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalStateException(
          "the name of a channel matches " + NAME + ", but one is '" + name + "'");
    }
    var type = word(ChannelType.class, name, "type", config.type());
    var resend = word(ResendPolicy.class, name, "resend", config.resend());
    var secret = config.secret().filter(text -> !text.isBlank());
    if (secret.isPresent() && (type == ChannelType.WECOM || type == ChannelType.SLACK)) {
      LOG.warnf("channel '%s': its receiver knows no signature, its secret is not used", name);
    }
    var credentials = new Credentials(url(name, config.url()), secret.orElse(null));
    return new HttpChannel(name, resend, dialect(type, name, credentials), http, entropy);
  }

  private static Dialect dialect(ChannelType type, String name, Credentials credentials) {
    return switch (type) {
      case WEBHOOK -> webhook(name, credentials);
      case WECOM -> new WeCom(credentials);
      case DINGTALK -> new DingTalk(credentials);
      case FEISHU -> new Feishu(credentials);
      case SLACK -> new Slack(credentials);
    };
  }

  private static Dialect webhook(String name, Credentials credentials) {
    try {
      return new StandardWebhook(credentials);
    } catch (IllegalArgumentException e) {
      throw mistake(name, "secret", String.valueOf(e.getMessage()));
    }
  }

  private static <E extends Enum<E>> E word(
      Class<E> words, String name, String setting, String text) {
    return Stream.of(words.getEnumConstants())
        .filter(word -> word.name().equalsIgnoreCase(text.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                mistake(
                    name,
                    setting,
                    "must be one of "
                        + List.of(words.getEnumConstants()).toString().toLowerCase(Locale.ROOT)
                        + ", but was '"
                        + text
                        + "'"));
  }

  // Never shows the text, nor a cause that would: the URL is a credential.
  private static URI url(String name, String text) {
    try {
      var url = new URI(text.strip());
      var isHttp =
          "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
      if (isHttp && url.getRawAuthority() != null && url.getRawFragment() == null) {
        return url;
      }
    } catch (URISyntaxException e) {
      throw mistake(name, "url", "is malformed at character " + e.getIndex());
    }
    throw mistake(name, "url", "must be an http or https URL with a host and no fragment");
  }

  private static IllegalStateException mistake(String name, String setting, String what) {
    return new IllegalStateException(
        "fencepost.notify.channels." + name + "." + setting + " " + what);
  }
}
