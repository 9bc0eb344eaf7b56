package dev.fencepost.assessment.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.assessment.notification.NotifyConfig.ChannelConfig;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelsTest {

  @Test
  void none_configured_leaves_the_log() {
    assertThat(channels(Map.of()).all()).extracting(Channel::name).containsExactly("log");
  }

  @Test
  void channels_are_listed_by_name_and_found_by_it() {
    var channels =
        channels(
            Map.of(
                "FENCEPOST_NOTIFY_CHANNELS_OPS_TYPE", "WeCom",
                "FENCEPOST_NOTIFY_CHANNELS_OPS_URL", "https://h.example/send?key=s3cret",
                "FENCEPOST_NOTIFY_CHANNELS_HOOK_TYPE", "webhook",
                "FENCEPOST_NOTIFY_CHANNELS_HOOK_URL", "http://h.example/",
                "FENCEPOST_NOTIFY_CHANNELS_HOOK_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "FENCEPOST_NOTIFY_CHANNELS_HOOK_RESEND", "never"));

    assertThat(channels.all()).extracting(Channel::name).containsExactly("hook", "ops");
    assertThat(channels.named("hook").orElseThrow().resend()).isEqualTo(ResendPolicy.NEVER);
    assertThat(channels.named("ops").orElseThrow().resend()).isEqualTo(ResendPolicy.ALWAYS);
    assertThat(channels.named("gone")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "telegram, https://h.example/s3cret, x, always, type must be one of",
    "slack, https://h.example/s3cret, x, sometimes, resend must be one of",
    "slack, ftp://h.example/s3cret, x, always, url must be an http",
    "slack, https:///s3cret, x, always, url",
    "slack, https://h.example/s3cret#x, x, always, url must be an http",
    "slack, https://h.example/s3cret?k=^, x, always, url is malformed at character 27",
    "webhook, https://h.example/s3cret, whsec_s3cret!, always, secret must be whsec_ and base64"
  })
  void a_mistake_stops_the_start_and_shows_no_credential(
      String type, String url, String secret, String resend, String message) {
    var config =
        Map.of(
            "FENCEPOST_NOTIFY_CHANNELS_OPS_TYPE", type,
            "FENCEPOST_NOTIFY_CHANNELS_OPS_URL", url,
            "FENCEPOST_NOTIFY_CHANNELS_OPS_SECRET", secret,
            "FENCEPOST_NOTIFY_CHANNELS_OPS_RESEND", resend);

    assertThatThrownBy(() -> channels(config))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("fencepost.notify.channels.ops." + message)
        .hasMessageNotContaining("s3cret")
        .hasNoCause();
  }

  @Test
  void nothing_that_holds_a_credential_prints_it() {
    var url = URI.create("https://h.example/s3cret?key=s3cret");
    var credentials = new Credentials(url, "s3cret");

    var holders =
        List.<Object>of(
            credentials,
            new Slack(credentials),
            new StandardWebhook(new Credentials(url, null)),
            new Message(url, Map.of("A", "s3cret"), new byte[0]));

    assertThat(holders)
        .allSatisfy(holder -> assertThat(String.valueOf(holder)).doesNotContain("s3cret"));
  }

  @Test
  void a_receivers_words_are_masked() {
    var credentials =
        new Credentials(
            URI.create("https://h.example/services/T0000000000/send?key=0123456789"),
            "sign-secret");

    assertThat(credentials.mask("no 0123456789 at /services/T0000000000/send for sign-secret"))
        .isEqualTo("no *** at /***/***/send for ***");
  }

  private static Channels channels(Map<String, String> environment) {
    var config =
        new SmallRyeConfigBuilder()
            .withSources(new EnvConfigSource(environment, 300))
            .withMapping(NotifyConfig.class)
            .build()
            .getConfigMapping(NotifyConfig.class);
    return new Channels(config, request -> Uni.createFrom().nothing(), new Entropy());
  }

  static ChannelConfig one(String type, String url, @Nullable String secret, String resend) {
    return new ChannelConfig() {
      @Override
      public String type() {
        return type;
      }

      @Override
      public String url() {
        return url;
      }

      @Override
      public Optional<String> secret() {
        return Optional.ofNullable(secret);
      }

      @Override
      public String resend() {
        return resend;
      }
    };
  }
}
