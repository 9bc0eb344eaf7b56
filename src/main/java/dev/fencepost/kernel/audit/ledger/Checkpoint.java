package dev.fencepost.kernel.audit.ledger;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.platform.http.JsonShape;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * Signed heads of all lanes: whoever has one can tell if newer rows are cut off, or older ones
 * written anew.
 *
 * @param number counts from 1
 * @param payload canonical JSON, byte for byte what was signed
 * @param kid the key that signed
 * @param signature base64url, without padding
 * @param publicKey base64 of its SubjectPublicKeyInfo, to verify without this service; whether to
 *     trust it is for the reader to say
 */
record Checkpoint(
    long number,
    Instant madeAt,
    String payload,
    String kid,
    String algorithm,
    String signature,
    String publicKey) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Before the first one. */
  static final String NO_PREVIOUS = Canonical.GENESIS;

  /** A signed place in a chain. */
  record Signed(long sequence, String hash) {}

  static String payload(long number, Instant madeAt, String previous, Collection<Head> heads) {
    return "{\"heads\":[%s],\"made_at\":%s,\"number\":%d,\"previous\":%s,\"version\":1}"
        .formatted(
            heads.stream()
                .sorted(Comparator.comparingInt(Head::lane))
                .map(Checkpoint::head)
                .collect(joining(",")),
            Canonical.string(JsonShape.text(madeAt)),
            number,
            Canonical.string(previous));
  }

  private static String head(Head head) {
    return "{\"hash\":%s,\"lane\":%d,\"sequence\":%d}"
        .formatted(Canonical.string(head.hash()), head.lane(), head.sequence());
  }

  /** By which the next one names it. */
  String digest() {
    return Canonical.sha256(payload);
  }

  String previous() {
    try {
      return JSON.readTree(payload).path("previous").asText();
    } catch (JsonProcessingException e) {
      return "";
    }
  }

  /** What it says of each lane; nothing, if it cannot be read. */
  Map<Integer, Signed> heads() {
    var heads = new HashMap<Integer, Signed>();
    try {
      JSON.readTree(payload)
          .path("heads")
          .forEach(
              head ->
                  heads.put(
                      head.path("lane").asInt(),
                      new Signed(head.path("sequence").asLong(), head.path("hash").asText())));
    } catch (JsonProcessingException e) {
      heads.clear();
    }
    return heads;
  }
}
