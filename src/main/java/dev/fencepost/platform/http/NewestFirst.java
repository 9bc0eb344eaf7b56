package dev.fencepost.platform.http;

import static java.util.Map.Entry.comparingByKey;

import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.Replies;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A list by time, newest first: first the places of its items are found, then the items of one page
 * are read by their places.
 */
public final class NewestFirst {

  private static final int READS_AT_ONCE = 64;

  /** More than one sorted set gets in one millisecond. */
  private static final int MOST_TIES = 100;

  private NewestFirst() {}

  /** The places in a sorted set, by score and member, that come after one. */
  public static Uni<List<PageCursor>> places(
      RedisRoad redis, String key, PageCursor after, int limit) {
    return redis
        .send(
            Request.cmd(Command.ZRANGE)
                .arg(key)
                .arg(Long.toString(after.millis()))
                .arg("-inf")
                .arg("BYSCORE")
                .arg("REV")
                .arg("LIMIT")
                .arg(0)
                .arg(limit + MOST_TIES)
                .arg("WITHSCORES"))
        .map(
            reply ->
                Replies.scores(reply).stream()
                    .map(item -> new PageCursor(item.getValue(), item.getKey()))
                    .filter(after::isBefore)
                    .limit(limit)
                    .toList());
  }

  /**
   * One page.
   *
   * @param places of more items than the limit, if there is a next page; in any order
   * @param read finds an item by its place; one that is not found (any more) is left out
   * @param page makes the page of its items and the token of the next one, null on the last
   */
  public static <T, P> Uni<P> page(
      Collection<PageCursor> places,
      int limit,
      Function<PageCursor, Uni<Optional<T>>> read,
      BiFunction<List<T>, @Nullable String, P> page) {
    var items =
        places.stream().distinct().sorted(PageCursor.NEWEST_FIRST).limit(limit + 1L).toList();
    var shown = items.subList(0, Math.min(limit, items.size()));
    var next = items.size() > limit ? shown.get(limit - 1).token() : null;
    return Multi.createFrom()
        .iterable(shown)
        .onItem()
        .transformToUni(place -> read.apply(place).map(found -> placed(place, found)))
        .merge(READS_AT_ONCE)
        .onItem()
        .<Map.Entry<PageCursor, T>>disjoint()
        .collect()
        .asList()
        .map(found -> page.apply(inOrder(found), next));
  }

  private static <T> List<Map.Entry<PageCursor, T>> placed(PageCursor place, Optional<T> found) {
    return found.map(item -> Map.entry(place, item)).stream().toList();
  }

  private static <T> List<T> inOrder(List<Map.Entry<PageCursor, T>> found) {
    return found.stream()
        .sorted(comparingByKey(PageCursor.NEWEST_FIRST))
        .map(Map.Entry::getValue)
        .toList();
  }
}
