package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BrokenBuildTest {

  @Test
  void only_the_fence_is_taken_out() throws IOException {
    var real = Files.readString(Path.of("src/main/resources/lua/assessment/record.lua"));
    var broken = BrokenBuild.withoutFence(real);
    assertThat(broken)
        .doesNotContain("refusal = 'STALE_TOKEN'", "refusal = 'LEASE_LOST'")
        .contains("if path[1] ~= known[3] then\n  refusal = 'ILLEGAL_TRANSITION'");
    assertThat(real.lines().filter(line -> broken.lines().noneMatch(line::equals))).hasSize(5);
  }
}
