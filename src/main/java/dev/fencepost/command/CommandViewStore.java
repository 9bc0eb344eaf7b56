package dev.fencepost.command;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.Replies;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** Shows commands as they stand. */
@ApplicationScoped
class CommandViewStore {

  private static final int READS_AT_ONCE = 64;

  /** More commands than Redis makes for one device in one millisecond. */
  private static final int MOST_TIES = 100;

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
    return redis
        .send(
            Request.cmd(io.vertx.redis.client.Command.HGETALL)
                .arg(CommandKeys.command(lane, commandId)))
        .map(Replies::hash)
        .map(fields -> fields.isEmpty() ? Optional.empty() : Optional.of(CommandHash.read(fields)));
  }

  /** One page of a device's commands, newest first. */
  Uni<CommandPage> ofDevice(String deviceId, PageCursor after, int limit) {
    var lane = lanes.of(deviceId);
    return redis
        .send(
            Request.cmd(io.vertx.redis.client.Command.ZRANGE)
                .arg(CommandKeys.ofDevice(lane, deviceId))
                .arg(Long.toString(after.millis()))
                .arg("-inf")
                .arg("BYSCORE")
                .arg("REV")
                .arg("LIMIT")
                .arg(0)
                .arg(limit + 1 + MOST_TIES)
                .arg("WITHSCORES"))
        .map(
            reply ->
                Replies.scores(reply).stream()
                    .map(item -> new PageCursor(item.getValue(), item.getKey()))
                    .filter(after::isBefore)
                    .limit(limit + 1L)
                    .toList())
        .flatMap(items -> page(lane, items, limit));
  }

  private Uni<CommandPage> page(Lane lane, List<PageCursor> items, int limit) {
    var shown = items.subList(0, Math.min(limit, items.size()));
    var next = items.size() > limit ? shown.get(limit - 1).token() : null;
    return Multi.createFrom()
        .iterable(shown)
        .onItem()
        .transformToUni(item -> find(lane, item.member()))
        .merge(READS_AT_ONCE)
        .filter(Optional::isPresent)
        .map(Optional::get)
        .collect()
        .asList()
        .map(found -> CommandPage.newestFirst(found, next));
  }
}
