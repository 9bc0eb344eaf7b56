package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.kernel.audit.RecordedEvent;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * History in a file, a JSON object a line, gz or not: events as {@code GET /v1/audit} gives them,
 * checkpoints as {@code GET /v1/audit/checkpoints} does, in any order. Read as a whole.
 */
final class FileEvidence implements Evidence {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private final Map<Integer, List<RecordedEvent>> events = new TreeMap<>();
  private final List<Checkpoint> checkpoints = new ArrayList<>();

  private FileEvidence() {}

  static FileEvidence read(Path file) throws IOException {
    var evidence = new FileEvidence();
    try (var raw = new BufferedInputStream(Files.newInputStream(file));
        var lines = new BufferedReader(new InputStreamReader(plain(raw), UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          evidence.add(JSON.readTree(line));
        }
      }
    }
    evidence
        .events
        .values()
        .forEach(
            lane ->
                lane.sort(
                    Comparator.comparingLong(RecordedEvent::sequence)
                        .thenComparing(RecordedEvent::timestamp)));
    return evidence;
  }

  private static InputStream plain(BufferedInputStream raw) throws IOException {
    raw.mark(2);
    var isGzip = raw.read() == GZIP_FIRST && raw.read() == GZIP_SECOND;
    raw.reset();
    return isGzip ? new GZIPInputStream(raw) : raw;
  }

  private void add(JsonNode line) {
    if (line.has("payload")) {
      checkpoints.add(checkpoint(line));
    } else if (line.has("items")) {
      line.get("items").forEach(this::add);
    } else {
      var event = event(line);
      events.computeIfAbsent(event.lane(), first -> new ArrayList<>()).add(event);
    }
  }

  private static Checkpoint checkpoint(JsonNode line) {
    return new Checkpoint(
        line.path("number").asLong(),
        Instant.parse(line.path("made_at").asText()),
        line.path("payload").asText(),
        line.path("kid").asText(),
        line.path("algorithm").asText(),
        line.path("signature").asText(),
        line.path("public_key").asText());
  }

  private static RecordedEvent event(JsonNode line) {
    var token = line.path("fencing_token");
    return new RecordedEvent(
        line.path("event_id").asText(),
        line.path("sequence").asLong(),
        line.path("lane").asInt(),
        Instant.parse(line.path("timestamp").asText()),
        text(line, "trace_id"),
        line.path("service_name").asText(),
        text(line, "user_id"),
        line.path("action").asText(),
        line.path("resource_type").asText(),
        line.path("resource_id").asText(),
        line.path("outcome").asText(),
        token.isNumber() ? token.asLong() : null,
        details(line.path("details")),
        text(line, "ip_address"),
        text(line, "user_agent"),
        line.path("previous_hash").asText(),
        line.path("hash").asText(),
        line.path("version").asInt());
  }

  private static @Nullable String text(JsonNode line, String field) {
    return line.path(field).isTextual() ? line.get(field).asText() : null;
  }

  private static String details(JsonNode details) {
    var texts = new HashMap<String, String>();
    details.properties().forEach(d -> texts.put(d.getKey(), d.getValue().asText()));
    return Canonical.object(texts);
  }

  @Override
  public Set<Integer> lanes() {
    return events.keySet();
  }

  @Override
  public List<Checkpoint> seals() {
    return checkpoints.stream().filter(FileEvidence::isSeal).toList();
  }

  private static boolean isSeal(Checkpoint checkpoint) {
    return checkpoint.number() == Checkpoint.OF_AN_ARCHIVE;
  }

  /** An archive says where it begins; any other part is trusted from its first event on. */
  @Override
  public Head anchor(int lane, Seals seals) {
    return seals
        .beginOf(lane)
        .or(() -> of(lane).stream().findFirst().map(FileEvidence::before))
        .orElseGet(() -> Head.beginning(lane));
  }

  private static Head before(RecordedEvent first) {
    return first.sequence() > 1
        ? new Head(
            first.lane(), first.sequence() - 1, first.previousHash(), StreamId.NONE, Instant.EPOCH)
        : Head.beginning(first.lane());
  }

  @Override
  public long headSequence(int lane) {
    return 0;
  }

  @Override
  public void walk(Head anchor, Predicate<RecordedEvent> taker) {
    for (var event : of(anchor.lane())) {
      if (!taker.test(event)) {
        return;
      }
    }
  }

  @Override
  public Optional<RecordedEvent> linkedTo(int lane, String hash) {
    return of(lane).stream()
        .filter(event -> event.previousHash().equals(hash))
        .reduce((earlier, later) -> later);
  }

  private List<RecordedEvent> of(int lane) {
    return events.getOrDefault(lane, List.of());
  }

  @Override
  public List<String> lostPartitions() {
    return List.of();
  }

  @Override
  public List<Checkpoint> checkpoints() {
    return checkpoints.stream().filter(made -> !isSeal(made)).toList();
  }

  @Override
  public void close() {}
}
