package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import java.util.Map;
import java.util.Optional;

/**
 * Walks one lane's chain in order and stops at the first event that does not fit. Needs no more
 * memory for a long chain than for a short one.
 */
final class LaneVerifier {

  private final int lane;
  private final Map<Long, String> signed;
  private long sequence;
  private String hash;
  private String hashBefore;
  private long events;
  private long gaps;

  /**
   * Begins behind an anchor.
   *
   * @param signed hashes that checkpoints have signed, by sequence
   */
  LaneVerifier(int lane, long anchorSequence, String anchorHash, Map<Long, String> signed) {
    this.lane = lane;
    this.sequence = anchorSequence;
    this.hash = anchorHash;
    this.hashBefore = "";
    this.signed = Map.copyOf(signed);
  }

  /** What an event does that it should not. */
  enum Symptom {
    /** Its sequence was there already. */
    REPEATED,
    /** Its sequence is not the next one. */
    GAP,
    /** It is of a form that this build does not know. */
    VERSION,
    /** It is not what was hashed. */
    HASH,
    /** It fits itself, but not the event before it. */
    LINK,
    /** It fits, but a checkpoint has signed another hash. */
    SIGNED
  }

  /** Takes the next event, in the order of sequences. */
  Optional<Symptom> accept(RecordedEvent event) {
    var symptom = symptomOf(event);
    if (symptom.isEmpty()) {
      hashBefore = hash;
      sequence = event.sequence();
      hash = event.hash();
      events++;
      gaps += event.action().equals(Chain.GAP) ? 1 : 0;
    }
    return symptom;
  }

  private Optional<Symptom> symptomOf(RecordedEvent event) {
    if (event.sequence() <= sequence) {
      return Optional.of(Symptom.REPEATED);
    }
    if (event.sequence() > sequence + 1) {
      return Optional.of(Symptom.GAP);
    }
    if (event.version() != Canonical.VERSION) {
      return Optional.of(Symptom.VERSION);
    }
    if (!Canonical.hash(event).equals(event.hash())) {
      return Optional.of(Symptom.HASH);
    }
    if (!event.previousHash().equals(hash)) {
      return Optional.of(Symptom.LINK);
    }
    return signed.getOrDefault(event.sequence(), event.hash()).equals(event.hash())
        ? Optional.empty()
        : Optional.of(Symptom.SIGNED);
  }

  /**
   * Names the damage behind a symptom.
   *
   * @param rightful another event of the lane whose previous hash is the one that comes next here
   */
  Damage diagnose(Symptom symptom, RecordedEvent event, Optional<RecordedEvent> rightful) {
    return switch (symptom) {
      case REPEATED ->
          damage(event.sequence(), Damage.Kind.INSERTED, "there are two events of this sequence");
      case GAP -> gap(event, rightful);
      case VERSION ->
          damage(
              event.sequence(),
              Damage.Kind.UNKNOWN_VERSION,
              "the canonical form %d is not known here".formatted(event.version()));
      case HASH -> hash(event, rightful);
      case LINK -> link(event);
      case SIGNED ->
          damage(
              event.sequence(),
              Damage.Kind.CHANGED,
              "a checkpoint signed another hash: this or earlier events were written anew");
    };
  }

  private Damage gap(RecordedEvent event, Optional<RecordedEvent> rightful) {
    return rightful
        .filter(other -> fits(other, sequence + 1))
        .map(other -> swapped(sequence + 1, other))
        .orElseGet(() -> missing(event.sequence() - 1));
  }

  private Damage missing(long last) {
    var first = sequence + 1;
    return damage(
        first,
        Damage.Kind.MISSING,
        first == last
            ? "the event is not there"
            : "events %d to %d are not there".formatted(first, last));
  }

  private Damage hash(RecordedEvent event, Optional<RecordedEvent> rightful) {
    if (fits(event, event.sequence() - 1) && event.previousHash().equals(hashBefore)) {
      return damage(
          sequence, Damage.Kind.INSERTED, "it was put in, and the events after it renumbered");
    }
    var elsewhere =
        rightful.filter(
            other -> other.sequence() != event.sequence() && fits(other, event.sequence()));
    if (elsewhere.isPresent()) {
      return swapped(event.sequence(), elsewhere.get());
    }
    return fits(event, event.sequence() + 1)
        ? damage(
            event.sequence(), Damage.Kind.MISSING, "it was taken out, and the others renumbered")
        : damage(
            event.sequence(),
            Damage.Kind.CHANGED,
            "its content is not what was hashed when it was recorded");
  }

  private Damage swapped(long at, RecordedEvent other) {
    return damage(
        at,
        Damage.Kind.SWAPPED,
        "the event that belongs here stands at %d".formatted(other.sequence()));
  }

  private Damage link(RecordedEvent event) {
    if (event.previousHash().equals(hashBefore)) {
      return damage(
          sequence, Damage.Kind.INSERTED, "it was put in: the next event does not know it");
    }
    return damage(
        Math.max(1, sequence),
        Damage.Kind.CHANGED,
        "it was written anew with a hash that fits it: the next event has another one");
  }

  private boolean fits(RecordedEvent event, long otherSequence) {
    return Canonical.hash(event.at(otherSequence, event.previousHash(), event.hash()))
        .equals(event.hash());
  }

  /**
   * The end of the chain, when all events were accepted.
   *
   * @param headSequence where the ledger says that it ends
   * @param by who says so
   */
  Optional<Damage> end(long headSequence, String by) {
    return headSequence <= sequence
        ? Optional.empty()
        : Optional.of(
            damage(
                sequence + 1,
                Damage.Kind.CUT_OFF,
                "the newest %d events are not there: %s knows the chain up to %d"
                    .formatted(headSequence - sequence, by, headSequence)));
  }

  Damage damage(long at, Damage.Kind kind, String problem) {
    return new Damage(lane, at, kind, problem);
  }

  int lane() {
    return lane;
  }

  long sequence() {
    return sequence;
  }

  String hash() {
    return hash;
  }

  long events() {
    return events;
  }

  long gaps() {
    return gaps;
  }
}
