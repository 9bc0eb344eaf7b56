package dev.fencepost.platform.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoresChoiceTest {

  @ParameterizedTest
  @CsvSource({
    // fencepost.embedded, Redis named, profile, choice
    "     , false, prod,       EMBEDDED",
    "     , true,  prod,       OUTSIDE",
    "     , false, kubernetes, OUTSIDE",
    "     , true,  kubernetes, OUTSIDE",
    "true , false, prod,       EMBEDDED",
    "true , true,  prod,       EMBEDDED",
    "true , false, kubernetes, EMBEDDED",
    "true , true,  kubernetes, EMBEDDED",
    "false, false, prod,       OUTSIDE",
    "false, true,  prod,       OUTSIDE",
    "false, false, kubernetes, OUTSIDE",
    "false, true,  kubernetes, OUTSIDE",
  })
  void an_explicit_setting_wins_else_stores_are_embedded_unless_redis_or_a_cluster_is_named(
      @Nullable Boolean embedded, boolean redisNamed, String profile, StoresChoice choice) {
    assertThat(StoresChoice.of(Optional.ofNullable(embedded), redisNamed, List.of(profile)))
        .isEqualTo(choice);
  }

  @ParameterizedTest
  @CsvSource({"metrics, EMBEDDED", "kubernetes, OUTSIDE"})
  void any_of_several_profiles_counts(String second, StoresChoice choice) {
    assertThat(StoresChoice.of(Optional.empty(), false, List.of("prod", second))).isEqualTo(choice);
  }
}
