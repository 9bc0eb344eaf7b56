package dev.fencepost.command;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.NewestFirst;
import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.Replies;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows commands as they stand. */
@ApplicationScoped
class CommandViewStore {

  private final RedisRoad redis;
  private final Lanes lanes;

  CommandViewStore(RedisRoad redis, Lanes lanes) {
    this.redis = redis;
    this.lanes = lanes;
  }

  /** The command as it stands; empty if there is none (any more). */
  Uni<Optional<Command>> find(String commandId) {
    return lanes
        .carriedBy(commandId)
        .map(lane -> find(lane, commandId))
        .orElseGet(() -> Uni.createFrom().item(Optional.empty()));
  }

  private Uni<Optional<Command>> find(Lane lane, String commandId) {
    return fields(lane, commandId)
        .map(fields -> fields.isEmpty() ? Optional.empty() : Optional.of(CommandHash.read(fields)));
  }

  /** All that Redis has of one command; empty if it has forgotten it. */
  Uni<Map<String, String>> fields(Lane lane, String commandId) {
    return redis
        .send(
            Request.cmd(io.vertx.redis.client.Command.HGETALL)
                .arg(CommandKeys.command(lane, commandId)))
        .map(Replies::hash);
  }

  /** A device's commands by their places in its list, newest first, after a place. */
  Uni<List<PageCursor>> ofDevice(String deviceId, PageCursor after, int limit) {
    return NewestFirst.places(
        redis, CommandKeys.ofDevice(lanes.of(deviceId), deviceId), after, limit);
  }
}
