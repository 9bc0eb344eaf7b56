package dev.fencepost.kernel.idempotency;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import java.util.HexFormat;

/**
 * Where everything about one caller's key lies in Redis. See docs/keyspace.md.
 *
 * @param id a digest of caller and key: neither can be read from it
 */
record RecordKeys(Lane lane, String id) {

  private static final String FEATURE = "idempotency";

  static RecordKeys of(Lanes lanes, String caller, IdempotencyKey key) {
    var id = HexFormat.of().formatHex(Digest.of(caller, key.value()).bytes());
    return new RecordKeys(lanes.of(id), id);
  }

  String record() {
    return lane.key(FEATURE, "record", id);
  }

  String lease() {
    return lane.key(FEATURE, "lease", id);
  }

  /** Never written: nobody takes a request up that its client does not repeat. */
  String agenda() {
    return lane.key(FEATURE, "agenda");
  }

  String audit() {
    return lane.key("audit", "events");
  }
}
