package dev.fencepost.assessment.advisory;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fetches the records that batch answers name, and keeps the editions it has. */
final class OsvRecords {

  private static final int OK = 200;
  private static final int CAPACITY = 256;
  private static final float LOAD_FACTOR = 0.75f;

  /** A record, or why there is none. */
  record Fetched(@Nullable OsvRecord record, @Nullable String problem) {}

  private record Named(OsvReference reference, Fetched fetched) {}

  private final OsvCalls calls;
  private final AdvisorySettings.OsvApi settings;
  private final OsvJson json = new OsvJson();
  private final Map<OsvReference, OsvRecord> known;

  OsvRecords(OsvCalls calls, AdvisorySettings.OsvApi settings) {
    this.calls = calls;
    this.settings = settings;
    this.known = Collections.synchronizedMap(new Editions(settings.cachedRecords()));
  }

  Uni<Map<OsvReference, Fetched>> fetch(Collection<OsvReference> references, Effect effect) {
    return Multi.createFrom()
        .iterable(references)
        .onItem()
        .transformToUni(reference -> fetch(reference, effect))
        .merge(settings.parallelRecords())
        .collect()
        .asMap(Named::reference, Named::fetched);
  }

  private Uni<Named> fetch(OsvReference reference, Effect effect) {
    var record = known.get(reference);
    return record != null
        ? Uni.createFrom().item(new Named(reference, new Fetched(record, null)))
        : calls
            .get("/v1/vulns/" + encoded(reference.id()), effect)
            .map(answer -> new Named(reference, read(reference, answer)));
  }

  private Fetched read(OsvReference reference, Answer answer) {
    if (answer.status() != OK) {
      return problem(reference, OsvBatchJson.message(answer.body()));
    }
    try {
      var record = json.read(answer.body());
      known.put(reference, record);
      return new Fetched(record, null);
    } catch (BrokenRecord e) {
      return problem(reference, String.valueOf(e.getMessage()));
    }
  }

  private static Fetched problem(OsvReference reference, String reason) {
    return new Fetched(
        null, "the OSV API named " + reference.id() + ", but did not give it: " + reason);
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The records used last; the one that was not used for longest goes first. */
  private static final class Editions extends LinkedHashMap<OsvReference, OsvRecord> {

    private final int max;

    Editions(int max) {
      super(CAPACITY, LOAD_FACTOR, true);
      this.max = max;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<OsvReference, OsvRecord> eldest) {
      return size() > max;
    }
  }
}
