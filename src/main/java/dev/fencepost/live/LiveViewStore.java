package dev.fencepost.live;

import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.NewestFirst;
import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.Replies;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows sessions as they stand. */
@ApplicationScoped
class LiveViewStore {

  private static final LuaScript READ = LuaScript.named("live/read");

  private final RedisRoad redis;
  private final Lanes lanes;

  LiveViewStore(RedisRoad redis, Lanes lanes) {
    this.redis = redis;
    this.lanes = lanes;
  }

  /** The device's newest session; empty if it has had none (for long). */
  Uni<Optional<LiveSession>> newest(String deviceId) {
    var keys = new SessionKeys(lanes.of(deviceId), deviceId, "");
    return redis
        .send(Request.cmd(Command.HGETALL).arg(keys.newest()))
        .map(Replies::hash)
        .map(LiveViewStore::session);
  }

  /** The id of the device's newest session; empty if it has had none (for long). */
  Uni<Optional<String>> newestId(String deviceId) {
    var keys = new SessionKeys(lanes.of(deviceId), deviceId, "");
    return redis
        .send(Request.cmd(Command.HGET).arg(keys.newest()).arg("session_id"))
        .map(Optional::ofNullable)
        .map(found -> found.map(Response::toString));
  }

  /** One session, newest or not. */
  Uni<Optional<LiveSession>> find(SessionKeys keys) {
    return fields(keys).map(LiveViewStore::session);
  }

  /** All that Redis has of one session; empty if it has forgotten it. */
  Uni<Map<String, String>> fields(SessionKeys keys) {
    return redis
        .run(READ, List.of(keys.newest(), keys.past()), List.of(keys.sessionId()))
        .map(answer -> Replies.pairs(answer, 0));
  }

  /** The places of a lane's sessions in one status, after one in the list of all. */
  Uni<List<PageCursor>> started(Lane lane, LiveStatus status, PageCursor after, int limit) {
    return NewestFirst.places(redis, SessionKeys.sessions(lane, status.word()), after, limit);
  }

  private static Optional<LiveSession> session(Map<String, String> fields) {
    return fields.isEmpty() ? Optional.empty() : Optional.of(LiveSession.read(fields));
  }
}
