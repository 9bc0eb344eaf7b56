package dev.fencepost.live;

import static java.util.Map.Entry.comparingByKey;

import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists sessions, newest start first: what the lanes offer is merged with what the ledger has, by
 * start and id, and each is shown as Redis has it while Redis has it, so callers read their own
 * writes. A session keeps its place in the list whatever its status becomes, so pages neither lose
 * nor repeat it. While PostgreSQL is away, the list is what Redis knows.
 */
@ApplicationScoped
class ListLive {

  private static final int READS_AT_ONCE = 64;

  private final LiveViewStore sessions;
  private final LiveLedgerStore ledger;
  private final Lanes lanes;

  ListLive(LiveViewStore sessions, LiveLedgerStore ledger, Lanes lanes) {
    this.sessions = sessions;
    this.ledger = ledger;
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
        .flatMap(
            offers ->
                recorded(status, after, limit)
                    .flatMap(known -> page(offers, known, status, limit)));
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

  private Uni<Map<PageCursor, LiveSession>> recorded(
      @Nullable LiveStatus status, PageCursor after, int limit) {
    return ledger.list(status, after, limit + 1).onFailure(Refused.class).recoverWithItem(Map.of());
  }

  private Uni<LivePage> page(
      List<Map.Entry<PageCursor, SessionKeys>> offers,
      Map<PageCursor, LiveSession> known,
      @Nullable LiveStatus status,
      int limit) {
    var places = new HashMap<PageCursor, SessionKeys>();
    known.forEach((place, session) -> places.put(place, keys(session)));
    offers.forEach(offer -> places.put(offer.getKey(), offer.getValue()));
    var items =
        places.entrySet().stream()
            .sorted(comparingByKey(PageCursor.NEWEST_FIRST))
            .limit(limit + 1L)
            .toList();
    return page(items, limit, item -> shown(item, known), status);
  }

  private SessionKeys keys(LiveSession session) {
    return new SessionKeys(lanes.of(session.deviceId()), session.deviceId(), session.sessionId());
  }

  /** As Redis has it; else as the ledger does. */
  private Uni<Optional<LiveSession>> shown(
      Map.Entry<PageCursor, SessionKeys> item, Map<PageCursor, LiveSession> known) {
    return sessions
        .find(item.getValue())
        .map(found -> found.or(() -> Optional.ofNullable(known.get(item.getKey()))));
  }

  private static Uni<LivePage> page(
      List<Map.Entry<PageCursor, SessionKeys>> items,
      int limit,
      Function<Map.Entry<PageCursor, SessionKeys>, Uni<Optional<LiveSession>>> read,
      @Nullable LiveStatus status) {
    var shown = items.subList(0, Math.min(limit, items.size()));
    var next = items.size() > limit ? shown.get(limit - 1).getKey().token() : null;
    return Multi.createFrom()
        .iterable(shown)
        .onItem()
        .transformToUni(item -> read.apply(item).map(found -> placed(item, found)))
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
