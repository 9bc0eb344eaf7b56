package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.platform.http.JsonShape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody without the service, with a file and a key. */
class VerifyAuditTest {

  private static final ObjectMapper JSON =
      JsonShape.apply(new ObjectMapper().registerModule(new JavaTimeModule()));

  @TempDir Path folder;

  private final List<String> lines = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    var chain = chain(5);
    for (var event : chain) {
      lines.add(JSON.writeValueAsString(event));
    }
  }

  @Test
  void a_whole_chain_is_verified_in_any_order_of_lines_and_in_gz() throws IOException {
    Collections.reverse(lines);
    assertThat(run(file())).isEqualTo("0 VERIFIED");
    var gz = folder.resolve("audit.ndjson.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(gz))) {
      out.write(String.join("\n", lines).getBytes(UTF_8));
    }
    assertThat(run(gz)).isEqualTo("0 VERIFIED");
  }

  @Test
  void a_changed_byte_a_missing_and_a_doubled_line_are_named() throws IOException {
    var whole = List.copyOf(lines);
    lines.set(2, lines.get(2).replace("\"n\":\"3\"", "\"n\":\"4\""));
    assertThat(output(file())).contains("sequence 3, changed", "trusted from 1 to 2", "DAMAGED");
    reset(whole);
    lines.remove(2);
    assertThat(output(file())).contains("sequence 3, missing", "trusted from 1 to 2");
    reset(whole);
    lines.add(lines.get(1));
    assertThat(output(file())).contains("sequence 2, inserted");
  }

  @Test
  void a_part_of_a_chain_is_trusted_from_its_first_event_on() throws IOException {
    lines.remove(0);
    lines.remove(0);
    assertThat(run(file())).isEqualTo("0 VERIFIED");
  }

  @Test
  void a_checkpoint_shows_that_the_end_is_cut_off_and_by_which_key() throws IOException {
    var keys = new SigningKeysForTests(folder.resolve("keys"));
    var last = chain(5).get(4);
    lines.add(keys.signedLine(new Head(3, 5, last.hash(), StreamId.NONE, last.timestamp())));
    assertThat(run(file(), keys.folder())).isEqualTo("0 VERIFIED");
    lines.remove(4);
    assertThat(output(file(), keys.folder()))
        .contains("sequence 5, cut_off", "trusted from 1 to 4");
    var others = new SigningKeysForTests(folder.resolve("other"));
    assertThat(output(file(), others.folder())).contains("checkpoint_forged");
  }

  @Test
  void the_seal_of_an_archive_shows_what_was_cut_off_at_either_end() throws IOException {
    var keys = new SigningKeysForTests(folder.resolve("keys"));
    var chain = chain(5);
    var seal =
        keys.line(
            Checkpoint.OF_AN_ARCHIVE,
            Checkpoint.archivePayload(
                "audit.ndjson",
                Instant.EPOCH,
                List.of(place(chain.get(1))),
                List.of(place(chain.get(4)))));
    lines.subList(0, 2).clear();
    lines.add(seal);
    var whole = List.copyOf(lines);
    assertThat(run(file(), keys.folder())).isEqualTo("0 VERIFIED");
    lines.remove(0);
    assertThat(output(file(), keys.folder())).contains("sequence 3, missing");
    reset(whole);
    lines.remove(2);
    assertThat(output(file(), keys.folder())).contains("sequence 5, cut_off");
    lines.subList(0, 2).clear();
    assertThat(output(file(), keys.folder())).contains("sequence 3, cut_off");
    reset(whole);
    var others = new SigningKeysForTests(folder.resolve("other"));
    assertThat(output(file(), others.folder())).contains("checkpoint_forged");
  }

  private static Head place(RecordedEvent event) {
    return new Head(event.lane(), event.sequence(), event.hash(), StreamId.NONE, event.timestamp());
  }

  @Test
  void what_cannot_be_read_is_neither_good_nor_bad() {
    assertThat(run(folder.resolve("nothing"))).startsWith("2 ");
    var out = new ByteArrayOutputStream();
    assertThat(VerifyAudit.run(List.of(), new PrintStream(out, true, UTF_8))).isEqualTo(2);
    assertThat(out.toString(UTF_8)).contains("usage");
  }

  private void reset(List<String> whole) {
    lines.clear();
    lines.addAll(whole);
  }

  private Path file() throws IOException {
    return Files.write(folder.resolve("audit.ndjson"), lines);
  }

  private static String output(Path... arguments) {
    var out = new ByteArrayOutputStream();
    var code =
        VerifyAudit.run(
            Arrays.stream(arguments).map(Path::toString).toList(),
            new PrintStream(out, true, UTF_8));
    return code + " " + out.toString(UTF_8);
  }

  private static String run(Path... arguments) {
    var output = output(arguments).strip();
    return output.substring(0, 1) + " " + output.substring(output.lastIndexOf('\n') + 1);
  }

  static List<RecordedEvent> chain(int length) {
    var events = new ArrayList<RecordedEvent>();
    var previous = Canonical.GENESIS;
    for (var n = 1; n <= length; n++) {
      var event =
          new RecordedEvent(
              "e3-" + n + "-0",
              n,
              3,
              Instant.ofEpochMilli(n),
              null,
              "fencepost",
              "alice",
              "LOGIN",
              "user",
              "alice",
              "accepted",
              null,
              Canonical.object(Map.of("n", Integer.toString(n))),
              null,
              null,
              previous,
              "",
              Canonical.VERSION);
      previous = Canonical.hash(event);
      events.add(event.at(n, event.previousHash(), previous));
    }
    return events;
  }
}
