package dev.fencepost.lua;

import static java.util.regex.Pattern.MULTILINE;
import static java.util.regex.Pattern.compile;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A header that lies is worse than none, so the header is compared with the body. */
class LuaContractTest {

  private static final Path ROOT = Path.of("src/main/resources/lua");
  private static final Pattern OPERAND = compile("(KEYS|ARGV)\\[(\\d+)]");
  private static final Pattern DECLARED = compile("^-- ((?:KEYS|ARGV)\\[\\d+])  ?\\S* ", MULTILINE);
  private static final Pattern DECLARED_TAIL =
      compile("^-- (KEYS|ARGV)\\[(\\d+)\\.\\.]  ?\\S", MULTILINE);
  private static final Pattern LOOPED = compile("(KEYS|ARGV)\\[(?!\\d+])");
  private static final Pattern ANSWERS =
      compile(
          "(?:return |return \\{|(?:refusal|]) = |insert\\(facts, 1, )'([A-Z]{2,}(?:_[A-Z]+)*)'");
  private static final Pattern PROMISED = compile("^-- returns  ([A-Z_]+)  ", MULTILINE);
  private static final Pattern ON_BEHALF_OF_A_HOLDER = compile("^-- .* on behalf of its holder");

  /** Every script that writes for a holder starts with exactly these checks. */
  private static final String FENCE =
      """
      if known[1] ~= ARGV[1] then
        refusal = 'STALE_TOKEN'
      elseif known[2] ~= ARGV[2] or (ARGV[3] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[2]) then
        refusal = 'LEASE_LOST'
      """;

  static Stream<Path> scripts() throws IOException {
    try (var files = Files.walk(ROOT)) {
      return files.filter(path -> path.toString().endsWith(".lua")).sorted().toList().stream();
    }
  }

  @Test
  void the_scripts_were_found() throws IOException {
    assertThat(scripts()).hasSizeGreaterThanOrEqualTo(8);
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void the_header_declares_exactly_the_operands_the_body_uses(Path script) throws IOException {
    var looped = all(LOOPED, body(script), 1);
    assertThat(all(DECLARED_TAIL, header(script), 1)).isEqualTo(looped);
    assertThat(all(OPERAND, body(script), 0)).isEqualTo(all(DECLARED, header(script), 1));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void the_header_promises_exactly_the_answers_the_body_gives(Path script) throws IOException {
    assertThat(all(ANSWERS, body(script), 1)).isEqualTo(all(PROMISED, header(script), 1));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void no_script_draws_at_random_or_touches_json(Path script) throws IOException {
    assertThat(body(script))
        .doesNotContain("math.random", "RANDOMKEY", "SRANDMEMBER", "cjson", "cmsgpack");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void no_script_builds_a_key(Path script) throws IOException {
    var keyOperand = compile("redis\\.call\\('[A-Z]+', (?!KEYS\\[)(?!'[A-Z]+', )");
    var withoutKey = compile("redis\\.call\\('TIME'\\)");
    var calls = withoutKey.matcher(body(script)).replaceAll("");
    assertThat(keyOperand.matcher(calls).find()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void a_script_that_writes_for_a_holder_checks_the_fence_before_its_first_write(Path script)
      throws IOException {
    if (ON_BEHALF_OF_A_HOLDER.matcher(header(script)).find()) {
      var body = body(script);
      var firstWrite = compile("'(HSET|SADD|HDEL|DEL|INCR|HINCRBY|ZADD|ZREM|XADD|P?EXPIRE|SET)'");
      var write = firstWrite.matcher(body);
      assertThat(write.find()).isTrue();
      assertThat(body.indexOf(FENCE)).isBetween(0, write.start());
    }
  }

  @Test
  void recording_is_such_a_script() throws IOException {
    assertThat(ON_BEHALF_OF_A_HOLDER.matcher(header(ROOT.resolve("assessment/record.lua"))).find())
        .isTrue();
  }

  private static String header(Path script) throws IOException {
    return String.join(
        "\n",
        Files.readAllLines(script).stream().takeWhile(line -> line.startsWith("--")).toList());
  }

  private static String body(Path script) throws IOException {
    return String.join(
            "\n",
            Files.readAllLines(script).stream().dropWhile(line -> line.startsWith("--")).toList())
        + "\n";
  }

  private static Set<String> all(Pattern pattern, String text, int group) {
    return new TreeSet<>(pattern.matcher(text).results().map(match -> match.group(group)).toList());
  }
}
