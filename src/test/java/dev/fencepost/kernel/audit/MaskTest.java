package dev.fencepost.kernel.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskTest {

  private final Mask mask =
      new Mask(
          List.of("password", "secret", "token", "authorization", "api_key"), List.of("EMP-\\d+"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "Password",
        "new_password",
        "client-secret",
        "clientSecret",
        "refresh_token",
        "Authorization",
        "apiKey"
      })
  void a_field_is_masked_by_its_name(String name) {
    assertThat(mask.fields(Map.of(name, "hunter2"))).containsEntry(name, Mask.MASKED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fencing_token", "newest_token"})
  void a_right_to_write_is_no_secret(String name) {
    assertThat(mask.fields(Map.of(name, "4111111111111111")))
        .containsEntry(name, "4111111111111111");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sent Authorization: Bearer abc.def-123456 twice | abc.def-123456",
        "login with password=hunter2, then | hunter2",
        "the password is hunter2 now | hunter2",
        "{\"client_secret\": \"s3cr3t!\"} | s3cr3t!",
        "token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln was | eyJhbGciOiJSUzI1NiJ9",
        "paid with 4111 1111 1111 1111 | 1111 1111",
        "paid with 5500-0055-5555-5559. | 5555-5559",
        "of 11010519491231002X, it says | 11010519491231002X",
        "ssn 078-05-1120 | 078-05-1120",
        "postgresql://app:pa55@db/x | pa55",
        "badge EMP-4711 | EMP-4711"
      })
  void a_secret_is_masked_wherever_it_stands(String text, String secret) {
    assertThat(mask.text(text)).doesNotContain(secret).contains(Mask.MASKED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "4111 1111 1111 1112 has a wrong check digit",
        "token 1796071234567890 of t17-01jx5k4m6n7p8q9r0s1t2v3w4x",
        "2026-11-30T08:15:00.000Z",
        "ticket t3-01jx5k4m6n7p8q9r0s1t2v3w4x: STALE_TOKEN",
        "tcp 443 connected in 3 ms"
      })
  void what_is_no_secret_stays(String text) {
    assertThat(mask.text(text)).isEqualTo(text);
  }

  @Test
  void masking_twice_is_masking_once() {
    var once = mask.text("Bearer abcdef123 password=x 4111111111111111");
    assertThat(mask.text(once)).isEqualTo(once);
  }
}
