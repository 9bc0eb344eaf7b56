package dev.fencepost.asset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.http.Refused.FieldError;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssetRequestTest {

  private static final Instant NOW = Instant.parse("2026-11-30T08:15:00Z");

  @Test
  void only_the_address_is_needed() {
    var asset = new AssetRequest(null, "heartbeat:", null, null, null).toAsset("cam-1", NOW);
    assertThat(asset)
        .isEqualTo(
            new Asset(
                "cam-1", null, AssetAddress.HEARTBEAT, Exposure.UNKNOWN, null, Map.of(), NOW, NOW));
  }

  @Test
  void all_wrong_fields_are_named_at_once() {
    var labels = new HashMap<String, String>();
    labels.put("site", null);
    var request = new AssetRequest("a\u0000", "nowhere", "PUBLIC", "extreme", labels);
    assertThatThrownBy(() -> request.toAsset("a", NOW))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.errors())
                    .extracting(FieldError::field)
                    .containsExactly(
                        "display_name", "address", "exposure", "criticality", "labels.site"));
  }

  @Test
  void a_wrong_word_is_told_the_right_ones() {
    var request = new AssetRequest(null, "heartbeat:", null, "extreme", null);
    assertThatThrownBy(() -> request.toAsset("a", NOW))
        .hasMessage("criticality must be one of low, medium, high, critical");
  }

  @Test
  void labels_are_bounded_in_number_and_form() {
    var many =
        IntStream.rangeClosed(0, 64).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v"));
    assertRefused(many, "labels");
    assertRefused(Map.of("a:b", "v"), "labels");
    assertRefused(Map.of("", "v"), "labels");
    assertRefused(Map.of("k".repeat(64), "v"), "labels");
    assertRefused(Map.of("k", "v".repeat(256)), "labels.k");
    assertRefused(Map.of("k", "\n"), "labels.k");
  }

  @Test
  void labels_may_be_written_in_any_script() {
    var labels = Map.of("机房", "北京: 3号", "k8s.io/name", "");
    assertThat(
            new AssetRequest("摄像头", "heartbeat:", "public", "low", labels)
                .toAsset("a", NOW)
                .labels())
        .isEqualTo(labels);
  }

  private static void assertRefused(Map<String, String> labels, String field) {
    assertThatThrownBy(
            () -> new AssetRequest(null, "heartbeat:", null, null, labels).toAsset("a", NOW))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.errors()).extracting(FieldError::field).containsExactly(field));
  }
}
