package dev.fencepost.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {

  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.fencepost");

  static Stream<Arguments> rules() {
    return Arrays.stream(Rules.class.getDeclaredFields())
        .filter(field -> field.getType() == ArchRule.class)
        .map(
            field -> {
              try {
                return Arguments.of(field.getName(), (ArchRule) field.get(null));
              } catch (IllegalAccessException e) {
                throw new AssertionError(e);
              }
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void production_code_keeps_the_rule(String name, ArchRule rule) {
    rule.allowEmptyShould(true).check(PRODUCTION);
  }

  @Test
  void production_code_was_really_imported() {
    assertThat(PRODUCTION).hasSizeGreaterThan(100);
  }

  @Test
  void the_rules_bite() {
    var bad = new ClassFileImporter().importPackages("dev.fencepost.architecture.bad");
    assertThat(Rules.NOBODY_AWAITS.evaluate(bad).getFailureReport().getDetails()).hasSize(4);
    assertThat(Rules.NOBODY_SUBSCRIBES.evaluate(bad).getFailureReport().getDetails()).hasSize(1);
    assertThat(Rules.NOBODY_RECOVERS_FROM_EVERYTHING.evaluate(bad).getFailureReport().getDetails())
        .hasSize(1);
    assertThat(Rules.TIME_AND_CHANCE_HAVE_ONE_DOOR.evaluate(bad).getFailureReport().getDetails())
        .hasSize(4);
    assertThat(Rules.NO_MUTABLE_STATICS.evaluate(bad).getFailureReport().getDetails()).hasSize(1);
    assertThat(Rules.NAMES_SAY_WHAT_NOT_WHERE.evaluate(bad).getFailureReport().getDetails())
        .hasSize(2);
    assertThat(Rules.FACTS_ARE_PURE.evaluate(bad).getFailureReport().getDetails()).isNotEmpty();
    assertThat(Rules.SCHEDULED_WORK_IS_REACTIVE.evaluate(bad).getFailureReport().getDetails())
        .hasSize(1);
    assertThat(Rules.ONLY_STORES_REACH_REDIS.evaluate(bad).getFailureReport().getDetails())
        .isNotEmpty();
    assertThat(Rules.WORK_OUTLIVES_ITS_CLIENT.evaluate(bad).getFailureReport().getDetails())
        .hasSize(1);
    assertThat(Rules.ONLY_RESOURCES_SPEAK_HTTP.evaluate(bad).getFailureReport().getDetails())
        .hasSize(2);
  }
}
