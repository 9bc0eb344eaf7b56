package dev.fencepost.kernel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The syntax, as one table: RFC 8941, section 3.3.3, and the bare form. */
class IdempotencyKeyTest {

  private static final String LONGEST = "k".repeat(255);

  static Stream<Arguments> keys() {
    return Stream.of(
        Arguments.of("\"8e03978e-40d5\"", "8e03978e-40d5"),
        Arguments.of("8e03978e-40d5", "8e03978e-40d5"),
        Arguments.of("\"two words\"", "two words"),
        Arguments.of("\"a \\\"quoted\\\" word\"", "a \"quoted\" word"),
        Arguments.of("\"back\\\\slash\"", "back\\slash"),
        Arguments.of(" \"spaced\" ", "spaced"),
        Arguments.of("\"k\";a", "k"),
        Arguments.of("\"k\"; a=1;b=\"x\";c=?1;d=t/o:k;e=:aGk=:;f=-1.5", "k"),
        Arguments.of("a,b;c=1", "a,b;c=1"),
        Arguments.of("x\"y", "x\"y"),
        Arguments.of("!", "!"),
        Arguments.of("~", "~"),
        Arguments.of(LONGEST, LONGEST),
        Arguments.of("\"" + LONGEST + "\"", LONGEST),
        Arguments.of("\"" + "\\\\".repeat(255) + "\"", "\\".repeat(255)));
  }

  static Stream<String> noKeys() {
    return Stream.of(
        "",
        " ",
        "\"\"",
        "\"",
        "\"open",
        "open\\\" \"",
        "\"bad \\escape\"",
        "\"a\" \"b\"",
        "\"a\", \"b\"",
        "\"a\"b",
        "\"k\";",
        "\"k\";A=1",
        "\"k\";a=",
        "two words",
        "tab\there",
        "\"tab\there\"",
        "schlüssel",
        "\"schlüssel\"",
        "\"\u007f\"",
        "键",
        LONGEST + "k",
        "\"" + LONGEST + "k\"");
  }

  @ParameterizedTest
  @MethodSource("keys")
  void a_quoted_string_or_bare_characters_are_a_key(String header, String value) {
    assertThat(IdempotencyKey.parse(header).value()).isEqualTo(value);
  }

  @ParameterizedTest
  @MethodSource("noKeys")
  void anything_else_is_refused(String header) {
    assertThatThrownBy(() -> IdempotencyKey.parse(header))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.type()).isEqualTo(ProblemType.VALIDATION_FAILED));
  }

  @Test
  void two_keys_are_none() {
    assertThatThrownBy(() -> IdempotencyKey.of(List.of("a", "a"))).isInstanceOf(Refused.class);
    assertThat(IdempotencyKey.of(List.of())).isEmpty();
  }
}
