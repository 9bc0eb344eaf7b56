package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.platform.time.Entropy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A folder with one key, made on the spot. */
final class SigningKeysForTests {

  private final Path folder;
  private final CheckpointSigner signer;

  SigningKeysForTests(Path folder) {
    this.folder = folder;
    this.signer =
        new SigningKeys(Optional.of(folder.toString()), Optional.empty(), "unused", new Entropy())
            .signer();
  }

  Path folder() {
    return folder;
  }

  /** A checkpoint as a line of a file. */
  String signedLine(Head head) {
    var payload =
        Checkpoint.payload(
            1, Instant.parse("2026-11-30T00:00:00Z"), Checkpoint.NO_PREVIOUS, List.of(head));
    return "{\"number\":1,\"made_at\":\"2026-11-30T00:00:00Z\",\"payload\":%s,\"kid\":%s,\"algorithm\":\"RS256\",\"signature\":%s,\"public_key\":%s}"
        .formatted(
            Canonical.string(payload),
            Canonical.string(signer.kid()),
            Canonical.string(signer.sign(payload)),
            Canonical.string(signer.publicKey()));
  }
}
