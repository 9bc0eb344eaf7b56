package dev.fencepost.kernel.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DigestTest {

  @Test
  void parts_that_read_the_same_when_joined_are_told_apart() {
    assertThat(Digest.of("ab", "c").bytes()).isNotEqualTo(Digest.of("a", "bc").bytes());
    assertThat(Digest.of("a", "").bytes()).isNotEqualTo(Digest.of("a").bytes());
    assertThat(Digest.of("a").and("b".getBytes(UTF_8)).bytes())
        .isEqualTo(Digest.of("a", "b").bytes());
  }
}
