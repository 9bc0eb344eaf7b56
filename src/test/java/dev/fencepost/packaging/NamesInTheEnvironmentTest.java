package dev.fencepost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.Manual;
import dev.fencepost.assessment.notification.NotifyConfig;
import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.identity.issuer.IssuerSettings;
import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Settings with a name of the operator's own in the middle, told as environment variables. */
class NamesInTheEnvironmentTest {

  private static final int ABOVE_FILES = 300;

  @Test
  void a_channel_is_found_by_its_name() {
    var channels =
        read(
                NotifyConfig.class,
                Map.of(
                    "FENCEPOST_NOTIFY_CHANNELS_OPS_TYPE", "webhook",
                    "FENCEPOST_NOTIFY_CHANNELS_OPS_URL", "https://hooks.example.org/x"))
            .channels();

    assertThat(channels).containsOnlyKeys("ops");
  }

  @Test
  void an_alert_on_events_is_found_by_its_name() {
    var alerts =
        read(
                AuditSettings.class,
                Map.of(
                    "FENCEPOST_AUDIT_ALERTS_GUESSING_ACTION", "LOGIN_FAILED",
                    "FENCEPOST_AUDIT_ALERTS_GUESSING_COUNT", "5",
                    "FENCEPOST_AUDIT_ALERTS_GUESSING_WINDOW", "1m"))
            .alerts();

    assertThat(alerts).containsOnlyKeys("guessing");
  }

  @Test
  void an_issuer_and_what_its_claims_permit_are_found_by_their_names() {
    var issuers =
        read(
                IssuerSettings.class,
                Map.of(
                    "FENCEPOST_IDENTITY_ISSUERS_CORP_ISSUER", "https://login.example.org",
                    "FENCEPOST_IDENTITY_ISSUERS_CORP_JWKS_URL", "https://login.example.org/certs",
                    "FENCEPOST_IDENTITY_ISSUERS_CORP_AUDIENCE", "fencepost",
                    "FENCEPOST_IDENTITY_ISSUERS_CORP_PERMISSIONS_OPERATORS", "assets:read"))
            .issuers();

    assertThat(issuers).containsOnlyKeys("corp");
    assertThat(issuers.get("corp").permissions()).containsOnlyKeys("operators");
  }

  /** A number is taken for a place in a list, and what it stands in is passed over in silence. */
  @Test
  void the_manual_has_no_variable_with_a_number_for_a_name() {
    assertThat(Manual.text()).doesNotContainPattern("(QUARKUS|FENCEPOST)_[A-Z0-9_]*_[0-9]+_");
  }

  private static <T> T read(Class<T> mapping, Map<String, String> environment) {
    return new SmallRyeConfigBuilder()
        .withMapping(mapping)
        .withValidateUnknown(false)
        .withSources(new EnvConfigSource(environment, ABOVE_FILES))
        .withConverter(Duration.class, ABOVE_FILES, new DurationConverter())
        .withConverter(MemorySize.class, ABOVE_FILES, new MemorySizeConverter())
        .build()
        .getConfigMapping(mapping);
  }
}
