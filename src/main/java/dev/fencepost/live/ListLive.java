package dev.fencepost.live;

import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.NewestFirst;
import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists sessions, newest start first: what the lanes offer is merged with what the ledger has, by
 * start and id, and each is shown as Redis has it while Redis has it, so callers read their own
 * writes. A session keeps its place in the list whatever its status becomes, so pages neither lose
 * nor repeat it. While PostgreSQL is away, the list is what Redis knows.
 */
@ApplicationScoped
class ListLive {

  private static final int LANES_AT_ONCE = 64;

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
        .merge(LANES_AT_ONCE)
        .collect()
        .asList()
        .flatMap(
            offered ->
                recorded(status, after, limit)
                    .flatMap(known -> page(offered, known, status, limit)));
  }

  private Multi<PageCursor> offered(Lane lane, Set<LiveStatus> asked, PageCursor after, int limit) {
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
      List<PageCursor> offered,
      Map<PageCursor, LiveSession> known,
      @Nullable LiveStatus status,
      int limit) {
    return NewestFirst.page(
        Stream.concat(offered.stream(), known.keySet().stream()).toList(),
        limit,
        place ->
            shown(place, known)
                .map(found -> found.filter(seen -> status == null || seen.status() == status)),
        LivePage::new);
  }

  /** As Redis has it; else as the ledger does. */
  private Uni<Optional<LiveSession>> shown(PageCursor place, Map<PageCursor, LiveSession> known) {
    return sessions
        .find(SessionKeys.ofMember(lanes, place.member()))
        .map(found -> found.or(() -> Optional.ofNullable(known.get(place))));
  }
}
