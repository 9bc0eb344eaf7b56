package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** One page of events, newest first. */
@Schema(name = "AuditPage")
record EventPage(List<RecordedEvent> items, @Nullable String nextPageToken) {

  /**
   * Cuts a page.
   *
   * @param found up to one more than the page may have
   */
  static EventPage of(List<RecordedEvent> found, int limit) {
    var shown = found.subList(0, Math.min(limit, found.size()));
    return new EventPage(
        List.copyOf(shown),
        found.size() > limit ? EventQuery.tokenAfter(shown.get(limit - 1)) : null);
  }
}
