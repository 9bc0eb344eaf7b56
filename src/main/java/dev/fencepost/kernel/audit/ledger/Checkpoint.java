package dev.fencepost.kernel.audit.ledger;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
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

  /** The number of one that stands alone: it seals an archive. */
  static final long OF_AN_ARCHIVE = 0;

  /** Before the first one. */
  static final String NO_PREVIOUS = Canonical.GENESIS;

  /** A signed place in a chain. */
  record Signed(long sequence, String hash) {}

  static String payload(long number, Instant madeAt, String previous, Collection<Head> heads) {
    return "{\"heads\":[%s],\"made_at\":%s,\"number\":%d,\"previous\":%s,\"version\":1}"
        .formatted(
            list(heads),
            Canonical.string(JsonShape.text(madeAt)),
            number,
            Canonical.string(previous));
  }

  /** What is signed of an archive: behind what every lane begins in it, and with what it ends. */
  static String archivePayload(
      String archive, Instant madeAt, Collection<Head> begins, Collection<Head> ends) {
    return ("{\"archive\":%s,\"begins\":[%s],\"heads\":[%s],\"made_at\":%s,\"number\":0,"
            + "\"version\":1}")
        .formatted(
            Canonical.string(archive),
            list(begins),
            list(ends),
            Canonical.string(JsonShape.text(madeAt)));
  }

  private static String list(Collection<Head> heads) {
    return heads.stream()
        .sorted(Comparator.comparingInt(Head::lane))
        .map(Checkpoint::head)
        .collect(joining(","));
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
    return read().path("previous").asText();
  }

  /** The archive that it seals. */
  String archive() {
    return read().path("archive").asText();
  }

  /** With what each lane ends; nothing, if it cannot be read. */
  Map<Integer, Signed> heads() {
    return places("heads");
  }

  /** Behind what each lane begins, in an archive. */
  Map<Integer, Signed> begins() {
    return places("begins");
  }

  private Map<Integer, Signed> places(String which) {
    var places = new HashMap<Integer, Signed>();
    read()
        .path(which)
        .forEach(
            place ->
                places.put(
                    place.path("lane").asInt(),
                    new Signed(place.path("sequence").asLong(), place.path("hash").asText())));
    return places;
  }

  private JsonNode read() {
    try {
      return JSON.readTree(payload);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
