package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.kernel.audit.ledger.LaneVerifier.Symptom;
import dev.fencepost.kernel.identity.token.SigningKeys;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Verifies history without the service: {@code verify-audit FILE|JDBC-URL [KEY-FOLDER]}. Signatures
 * are checked against the keys of the folder; without one, against the keys that the checkpoints
 * name themselves, which it says.
 */
public final class VerifyAudit {

  /** The first argument that asks for this instead of the service. */
  public static final String COMMAND = "verify-audit";

  private static final int GOOD = 0;
  private static final int DAMAGED = 1;
  private static final int UNREADABLE = 2;

  private final PrintStream out;
  private final List<Damage> damages = new ArrayList<>();
  private long events;
  private long gaps;

  private VerifyAudit(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs it.
   *
   * @return the exit code: 0 if all is as it was, 1 on damage, 2 if it cannot be read
   */
  public static int run(List<String> arguments, PrintStream out) {
    if (arguments.isEmpty() || arguments.size() > 2) {
      out.println("usage: verify-audit FILE|JDBC-URL [KEY-FOLDER]");
      return UNREADABLE;
    }
    try (var evidence = open(arguments.get(0))) {
      var keys =
          arguments.size() == 2
              ? Optional.of(SigningKeys.publicKeysIn(Path.of(arguments.get(1))))
              : Optional.<Map<String, String>>empty();
      return new VerifyAudit(out).verify(evidence, keys);
    } catch (IOException | SQLException | RuntimeException e) {
      out.println("cannot be verified: " + e.getMessage());
      return UNREADABLE;
    }
  }

  private static Evidence open(String what) throws IOException, SQLException {
    if (!what.startsWith("jdbc:")) {
      return FileEvidence.read(Path.of(what));
    }
    var login = new Properties();
    environment("QUARKUS_DATASOURCE_USERNAME").ifPresent(user -> login.put("user", user));
    environment("QUARKUS_DATASOURCE_PASSWORD").ifPresent(word -> login.put("password", word));
    return DatabaseEvidence.open(what, login);
  }

  private static Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name));
  }

  private int verify(Evidence evidence, Optional<Map<String, String>> keys) {
    var checkpoints = evidence.checkpoints();
    var named = new HashMap<String, String>();
    Stream.concat(checkpoints.stream(), evidence.seals().stream())
        .forEach(made -> named.put(made.kid(), made.publicKey()));
    var trusted = keys.orElse(named);
    Function<String, Optional<String>> keyOf = kid -> Optional.ofNullable(trusted.get(kid));
    var seals = Seals.of(evidence.seals(), keyOf);
    var signed = SignedHeads.of(checkpoints, keyOf).and(seals);
    signed.damage().ifPresent(this::report);
    var lanes = new TreeSet<>(evidence.lanes());
    lanes.addAll(signed.places().keySet());
    lanes.forEach(lane -> lane(evidence.anchor(lane, seals), evidence, signed));
    out.printf(
        "%d events in %d lanes, %d checkpoints, %d archives, %d recorded gaps%n",
        events, lanes.size(), checkpoints.size(), evidence.seals().size(), gaps);
    if (keys.isEmpty()) {
      named.forEach(
          (kid, key) ->
              out.printf(
                  "checkpoints name their key themselves: %s, sha256 %s; compare it with yours%n",
                  kid, Canonical.sha256(key)));
    }
    out.println(damages.isEmpty() ? "VERIFIED" : "DAMAGED");
    return damages.isEmpty() ? GOOD : DAMAGED;
  }

  private void lane(Head anchor, Evidence evidence, SignedHeads signed) {
    var lane = anchor.lane();
    var verifier = new LaneVerifier(lane, anchor.sequence(), anchor.hash(), signed.of(lane));
    var damage = new AtomicReference<Optional<Damage>>(Optional.empty());
    evidence.walk(
        anchor,
        event -> {
          var symptom = verifier.accept(event);
          damage.set(symptom.map(found -> diagnose(verifier, found, event, evidence)));
          return symptom.isEmpty();
        });
    events += verifier.events();
    gaps += verifier.gaps();
    damage
        .get()
        .or(() -> verifier.end(evidence.headSequence(lane), "the head"))
        .or(() -> verifier.end(signed.lastOf(lane), "a checkpoint"))
        .map(found -> VerifyLedger.orLost(found, evidence.lostPartitions()))
        .ifPresent(
            found -> {
              report(found);
              out.printf(
                  "  lane %d can be trusted from %d to %d%n",
                  lane, anchor.sequence() + 1, Math.min(found.sequence() - 1, verifier.sequence()));
            });
  }

  private static Damage diagnose(
      LaneVerifier verifier, Symptom symptom, RecordedEvent event, Evidence evidence) {
    return verifier.diagnose(symptom, event, evidence.linkedTo(verifier.lane(), verifier.hash()));
  }

  private void report(Damage damage) {
    damages.add(damage);
    out.println("DAMAGE " + damage);
  }
}
