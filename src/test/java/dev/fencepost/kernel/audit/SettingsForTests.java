package dev.fencepost.kernel.audit;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** Settings as configuration makes them, with one limit. */
final class SettingsForTests {

  private SettingsForTests() {}

  static AuditSettings of(long spoolLimit) {
    return new SmallRyeConfigBuilder()
        .withMapping(AuditSettings.class)
        .addDiscoveredConverters()
        .withSources(
            new PropertiesConfigSource(
                Map.of("fencepost.audit.spool-limit", Long.toString(spoolLimit)), "test", 500))
        .build()
        .getConfigMapping(AuditSettings.class);
  }
}
