package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.fence.FencingToken;
import dev.fencepost.kernel.fence.HolderNames;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.kernel.fence.LeaseSettings;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.Replies;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/**
 * The stream of a lane, as the ledger reads it. The last event that was taken stays in it: if it is
 * not there any more, others may be gone too.
 */
@ApplicationScoped
class LaneStream {

  private static final LuaScript LOOK = LuaScript.named("audit/look");
  private static final LuaScript TAKE = LuaScript.named("audit/take");
  private static final LuaScript RELEASE = LuaScript.named("audit/release");
  private static final String FEATURE = "audit";

  private final RedisRoad redis;
  private final HolderNames names;
  private final LeaseSettings leases;

  LaneStream(RedisRoad redis, HolderNames names, LeaseSettings leases) {
    this.redis = redis;
    this.names = names;
    this.leases = leases;
  }

  /**
   * The two ends of a stream.
   *
   * @param newest {@link StreamId#NONE} if it is empty
   * @param second the oldest but one, which as a rule is the first that waits; NONE if none does
   */
  record Ends(long length, StreamId newest, StreamId second) {

    long waiting() {
      return Math.max(0, length - 1);
    }
  }

  Uni<Ends> look(Lane lane) {
    return redis
        .run(LOOK, List.of(events(lane)), List.of())
        .map(
            ends ->
                new Ends(Long.parseLong(ends.get(0).toString()), id(ends.get(1)), id(ends.get(2))));
  }

  private static StreamId id(Response text) {
    return text.toString().isEmpty() ? StreamId.NONE : StreamId.parse(text.toString());
  }

  /** The right to move this lane's events; empty if someone else has it. */
  Uni<Optional<Lease>> take(Lane lane) {
    return take(lane, lease(lane), lane.key(FEATURE, "fence"));
  }

  /** The right to move a month to the archive; empty if someone else has it. */
  Uni<Optional<Lease>> takeArchive() {
    var first = new Lane(0);
    return take(first, first.key(FEATURE, "archive-lease"), first.key(FEATURE, "archive-fence"));
  }

  private Uni<Optional<Lease>> take(Lane lane, String key, String fence) {
    var holder = names.next();
    return redis
        .run(TAKE, List.of(key, fence), List.of(holder, Long.toString(leases.ttl().toMillis())))
        .map(
            answer ->
                switch (Taken.valueOf(answer.get(0).toString())) {
                  case TAKEN -> Optional.of(lease(lane, key, holder, answer.get(1).toString()));
                  case HELD -> Optional.empty();
                });
  }

  /** What {@code audit/take.lua} may answer. */
  private enum Taken {
    TAKEN,
    HELD
  }

  // A lane has no agenda of its own for this: renewal finds no entry there, and moves none.
  private static Lease lease(Lane lane, String key, String holder, String token) {
    return new Lease(
        lane,
        key,
        lane.key(FEATURE, "agenda"),
        "ledger of lane " + lane.number(),
        holder,
        new FencingToken(Long.parseLong(token)));
  }

  Uni<Void> release(Lease lease) {
    return redis.run(RELEASE, List.of(lease.key()), List.of(lease.holder())).replaceWithVoid();
  }

  /** What comes after the head, at most so many; empty if nothing does. */
  Uni<Optional<Slice>> after(Head head, Lane lane, int most) {
    var begins = head.streamId().equals(StreamId.NONE);
    return range(lane, begins ? "-" : head.streamId().toString(), most + 1)
        .flatMap(
            found ->
                found.isEmpty() && !begins
                    ? range(lane, "-", most + 1)
                    : Uni.createFrom().item(found))
        .map(found -> slice(head, found, begins));
  }

  private static Optional<Slice> slice(Head head, List<StreamEntry> found, boolean begins) {
    if (found.isEmpty()) {
      return Optional.empty();
    }
    if (begins || !found.get(0).id().equals(head.streamId())) {
      return Optional.of(new Slice(found, !begins));
    }
    return found.size() == 1
        ? Optional.empty()
        : Optional.of(new Slice(found.subList(1, found.size()), false));
  }

  private Uni<List<StreamEntry>> range(Lane lane, String from, int most) {
    return redis
        .send(
            Request.cmd(Command.XRANGE).arg(events(lane)).arg(from).arg("+").arg("COUNT").arg(most))
        .map(LaneStream::entries);
  }

  /** The newest entries, newest first. */
  Uni<List<StreamEntry>> newest(Lane lane, int most) {
    return redis
        .send(
            Request.cmd(Command.XREVRANGE)
                .arg(events(lane))
                .arg("+")
                .arg("-")
                .arg("COUNT")
                .arg(most))
        .map(LaneStream::entries);
  }

  private static List<StreamEntry> entries(Response list) {
    return list.stream()
        .map(
            entry ->
                new StreamEntry(
                    StreamId.parse(entry.get(0).toString()), Replies.pairs(entry.get(1), 0)))
        .toList();
  }

  /** Forgets what the ledger has, save the last. */
  Uni<Void> trim(Lane lane, StreamId last) {
    return redis
        .send(
            Request.cmd(Command.XTRIM).arg(events(lane)).arg("MINID").arg("=").arg(last.toString()))
        .replaceWithVoid();
  }

  private static String events(Lane lane) {
    return lane.key(FEATURE, "events");
  }

  private static String lease(Lane lane) {
    return lane.key(FEATURE, "lease");
  }
}
