package dev.fencepost.live;

import static java.util.Map.Entry.comparingByKey;

import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.PageCursor;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists the sessions that are in Redis, newest start first: what the lanes offer is merged by start
 * and id. A session keeps its place in the list whatever its status becomes, so pages neither lose
 * nor repeat it. Each lane gives a page's worth at the most.
 */
@ApplicationScoped
class ListLive {

  private static final int READS_AT_ONCE = 64;

  private final LiveViewStore sessions;
  private final Lanes lanes;

  ListLive(LiveViewStore sessions, Lanes lanes) {
    this.sessions = sessions;
    this.lanes = lanes;
  }

  /**
   * One page.
   *
   * @param status only sessions in this status; null for all
   */
  Uni<LivePage> list(@Nullable LiveStatus status, PageCursor after, int limit) {
    var asked = status == null ? EnumSet.allOf(LiveStatus.class) : EnumSet.of(status);
    return Multi.createFrom()
        .iterable(lanes.allFrom(0))
        .onItem()
        .transformToMulti(lane -> offered(lane, asked, after, limit + 1))
        .merge(READS_AT_ONCE)
        .collect()
        .asList()
        .map(
            offers ->
                offers.stream()
                    .sorted(comparingByKey(PageCursor.NEWEST_FIRST))
                    .distinct()
                    .limit(limit + 1L)
                    .toList())
        .flatMap(items -> page(items, status, limit));
  }

  private Multi<Map.Entry<PageCursor, SessionKeys>> offered(
      Lane lane, Set<LiveStatus> asked, PageCursor after, int limit) {
    return Multi.createFrom()
        .iterable(asked)
        .onItem()
        .transformToUniAndConcatenate(status -> sessions.started(lane, status, after, limit))
        .onItem()
        .disjoint();
  }

  private Uni<LivePage> page(
      List<Map.Entry<PageCursor, SessionKeys>> items, @Nullable LiveStatus status, int limit) {
    var shown = items.subList(0, Math.min(limit, items.size()));
    var next = items.size() > limit ? shown.get(limit - 1).getKey().token() : null;
    return Multi.createFrom()
        .iterable(shown)
        .onItem()
        .transformToUni(item -> sessions.find(item.getValue()).map(found -> placed(item, found)))
        .merge(READS_AT_ONCE)
        .onItem()
        .<Map.Entry<PageCursor, LiveSession>>disjoint()
        .filter(item -> status == null || item.getValue().status() == status)
        .collect()
        .asList()
        .map(found -> new LivePage(inOrder(found), next));
  }

  private static List<Map.Entry<PageCursor, LiveSession>> placed(
      Map.Entry<PageCursor, SessionKeys> item, Optional<LiveSession> found) {
    return found.map(session -> Map.entry(item.getKey(), session)).stream().toList();
  }

  private static List<LiveSession> inOrder(List<Map.Entry<PageCursor, LiveSession>> found) {
    return found.stream()
        .sorted(comparingByKey(PageCursor.NEWEST_FIRST))
        .map(Map.Entry::getValue)
        .toList();
  }
}
