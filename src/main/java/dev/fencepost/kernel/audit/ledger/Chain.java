package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.ReadModel;
import dev.fencepost.kernel.audit.RecordedEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds events to the end of a lane's chain. What is missing before an event is an event itself:
 * {@value #GAP}.
 */
final class Chain {

  static final String GAP = "AUDIT_GAP";

  private final Head before;
  private final EntryReader reader;
  private final Map<String, Long> processes;
  private final Map<String, Long> seen = new HashMap<>();
  private final List<RecordedEvent> events = new ArrayList<>();
  private final Map<String, Map<String, String>> asides = new HashMap<>();
  private long sequence;
  private String hash;
  private Instant at;

  private Chain(Head before, Map<String, Long> processes, EntryReader reader) {
    this.before = before;
    this.reader = reader;
    this.processes = processes;
    this.sequence = before.sequence();
    this.hash = before.hash();
    this.at = before.at();
  }

  /**
   * Extends a chain.
   *
   * @param processes the newest number that is known of each process
   */
  static Extension extend(
      Head before, Slice slice, Map<String, Long> processes, EntryReader reader) {
    var chain = new Chain(before, processes, reader);
    if (slice.lost()) {
      chain.addLost(slice.entries().get(0).id());
    }
    slice.entries().forEach(chain::add);
    return chain.extension(slice);
  }

  private Extension extension(Slice slice) {
    var last = slice.entries().get(slice.entries().size() - 1).id();
    var after = new Head(before.lane(), sequence, hash, last, at);
    return new Extension(before, after, new ReadModel.Batch(events, asides), seen);
  }

  private void add(StreamEntry entry) {
    var process = entry.fields().get("process");
    var number = number(entry.fields().get("process_sequence"));
    if (process != null && number != null) {
      var known = seen.getOrDefault(process, processes.getOrDefault(process, 0L));
      if (number <= known) {
        return;
      }
      if (number > known + 1) {
        addMissing(entry.id(), process, known + 1, number - 1);
      }
      seen.put(process, number);
    }
    var event = reader.read(before.lane(), entry);
    append(event);
    var aside = EntryReader.aside(entry);
    if (!aside.isEmpty()) {
      asides.put(event.eventId(), aside);
    }
  }

  private void addLost(StreamId first) {
    gap(
        first,
        Map.of("last_seen", before.streamId().toString(), "goes_on_with", first.toString()),
        "");
  }

  private void addMissing(StreamId id, String process, long from, long to) {
    var details = Map.of("process", process, "from", Long.toString(from), "to", Long.toString(to));
    gap(id, details, "-" + from);
  }

  private void gap(StreamId id, Map<String, String> details, String suffix) {
    append(
        reader.own(
            before.lane(), "e%d-%s-gap%s".formatted(before.lane(), id, suffix), id, GAP, details));
  }

  /** Redis' clock may have been set back; the order within a lane is that of the chain. */
  private void append(RecordedEvent event) {
    sequence++;
    at = event.timestamp().isBefore(at) ? at : event.timestamp();
    var placed = event.at(at, sequence, hash, "");
    hash = Canonical.hash(placed);
    events.add(placed.at(sequence, placed.previousHash(), hash));
  }

  private static @Nullable Long number(@Nullable String text) {
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
