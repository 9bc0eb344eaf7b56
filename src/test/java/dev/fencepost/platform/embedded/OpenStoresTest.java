package dev.fencepost.platform.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenStoresTest {

  private static final String REDIS = "quarkus.redis.hosts";
  private static final String JDBC = "quarkus.datasource.jdbc.url";
  private static final String REACTIVE = "quarkus.datasource.reactive.url";

  @Test
  void an_empty_configuration_means_embedded_stores() {
    assertThat(OpenStores.choose(config(Map.of()))).isEqualTo(StoresChoice.EMBEDDED);
  }

  @Test
  void an_empty_redis_setting_names_no_redis() {
    assertThat(OpenStores.choose(config(Map.of(REDIS, "")))).isEqualTo(StoresChoice.EMBEDDED);
  }

  @Test
  void the_reactive_address_of_postgres_follows_from_the_jdbc_address() {
    var settings =
        OpenStores.outside(
            config(Map.of(REDIS, "redis://r:6379", JDBC, "jdbc:postgresql://db:5432/fp")));
    assertThat(settings)
        .containsOnly(
            Map.entry("fencepost.embedded", "false"),
            Map.entry(REACTIVE, "postgresql://db:5432/fp"));
  }

  @Test
  void a_reactive_address_that_is_set_stays() {
    var settings =
        OpenStores.outside(
            config(
                Map.of(
                    REDIS, "redis://r:6379",
                    JDBC, "jdbc:postgresql://db:5432/fp?sslmode=require",
                    REACTIVE, "postgresql://db:5432/fp?sslmode=require")));
    assertThat(settings).containsOnlyKeys("fencepost.embedded");
  }

  @Test
  void parameters_of_a_jdbc_address_are_not_guessed_at() {
    var config =
        config(Map.of(REDIS, "redis://r:6379", JDBC, "jdbc:postgresql://db/fp?sslmode=require"));
    assertThatThrownBy(() -> OpenStores.outside(config))
        .isInstanceOf(StoresUnavailable.class)
        .hasMessageContaining(REACTIVE);
  }

  @Test
  void every_missing_setting_is_named_and_no_other() {
    assertThatThrownBy(() -> OpenStores.outside(config(Map.of())))
        .isInstanceOf(StoresUnavailable.class)
        .hasMessageContaining(REDIS + ", " + JDBC);
    assertThatThrownBy(
            () -> OpenStores.outside(config(Map.of(JDBC, "jdbc:postgresql://db:5432/fp"))))
        .isInstanceOf(StoresUnavailable.class)
        .hasMessageContaining(REDIS)
        .hasMessageNotContaining(JDBC);
    assertThatThrownBy(() -> OpenStores.outside(config(Map.of(REDIS, "redis://r:6379"))))
        .isInstanceOf(StoresUnavailable.class)
        .hasMessageContaining(JDBC)
        .hasMessageNotContaining(REDIS);
  }

  private static SmallRyeConfig config(Map<String, String> values) {
    return new SmallRyeConfigBuilder().withDefaultValues(values).build();
  }
}
