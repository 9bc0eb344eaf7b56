package dev.fencepost.kernel.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.kernel.audit.RecordedEvent;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The form is for ever: whoever changes it makes a version 2. */
class CanonicalTest {

  private static final RecordedEvent EVENT =
      new RecordedEvent(
          "e17-1796071234567-0",
          42,
          17,
          Instant.parse("2026-11-30T08:15:00.120Z"),
          "0af7651916cd43dd8448eb211c80319c",
          "fencepost",
          null,
          "TICKET_OPENED",
          "ticket",
          "t17-01jx5k4m6n7p8q9r0s1t2v3w4x",
          "accepted",
          1796071234567890L,
          Canonical.object(Map.of("to", "INIT", "holder", "a/\"b\"\n")),
          "192.0.2.7",
          "curl/8.5",
          Canonical.GENESIS,
          "",
          Canonical.VERSION);

  @Test
  void an_event_has_this_form_byte_for_byte() {
    assertThat(Canonical.json(EVENT))
        .isEqualTo(
            "{\"action\":\"TICKET_OPENED\",\"details\":{\"holder\":\"a/\\\"b\\\"\\n\",\"to\":\"INIT\"},"
                + "\"event_id\":\"e17-1796071234567-0\",\"fencing_token\":1796071234567890,"
                + "\"ip_address\":\"192.0.2.7\",\"lane\":17,\"outcome\":\"accepted\","
                + "\"resource_id\":\"t17-01jx5k4m6n7p8q9r0s1t2v3w4x\",\"resource_type\":\"ticket\","
                + "\"sequence\":42,\"service_name\":\"fencepost\","
                + "\"timestamp\":\"2026-11-30T08:15:00.120Z\","
                + "\"trace_id\":\"0af7651916cd43dd8448eb211c80319c\",\"user_agent\":\"curl/8.5\","
                + "\"user_id\":null,\"version\":1}");
  }

  @Test
  void texts_are_escaped_as_rfc_8785_has_it() {
    assertThat(Canonical.string("\u20ac$\u000f\nA'B\"\\\\\"/"))
        .isEqualTo("\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"");
  }

  @Test
  void the_hash_is_over_the_previous_one_and_the_form() {
    assertThat(Canonical.hash(EVENT))
        .isEqualTo(Canonical.sha256("0".repeat(64) + Canonical.json(EVENT)));
  }
}
