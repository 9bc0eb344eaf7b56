package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.OsvBatchJson.Asked;
import dev.fencepost.assessment.advisory.OsvBatchJson.Page;
import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Asks {@code querybatch} in batches, each query page after page until it has no next page. One bad
 * query makes OSV refuse its whole batch: it is found, set aside, and the others are asked again.
 */
final class OsvQueries {

  private static final String PATH = "/v1/querybatch";
  private static final Pattern REFUSED_AT = Pattern.compile("error in query at index (\\d+): (.*)");
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;

  /**
   * What was answered.
   *
   * @param found the records of each query that was answered
   * @param refused the reason of each query that was not
   */
  record Answers(Map<OsvQuery, Set<OsvReference>> found, Map<OsvQuery, String> refused) {

    Answers() {
      this(new HashMap<>(), new HashMap<>());
    }

    private void add(List<Asked> asked, List<Page> pages) {
      for (var i = 0; i < asked.size(); i++) {
        found
            .computeIfAbsent(asked.get(i).query(), query -> new LinkedHashSet<>())
            .addAll(pages.get(i).references());
      }
    }

    private Answers and(Answers others) {
      found.putAll(others.found);
      refused.putAll(others.refused);
      return this;
    }
  }

  private final OsvCalls calls;
  private final AdvisorySettings.OsvApi settings;

  OsvQueries(OsvCalls calls, AdvisorySettings.OsvApi settings) {
    this.calls = calls;
    this.settings = settings;
  }

  Uni<Answers> ask(List<OsvQuery> queries, Effect effect) {
    return Multi.createFrom()
        .iterable(batches(queries))
        .onItem()
        .transformToUni(batch -> new Batch(effect, new Answers()).ask(batch, 1))
        .merge(settings.parallelBatches())
        .collect()
        .with(Collectors.reducing(new Answers(), Answers::and));
  }

  private List<List<Asked>> batches(List<OsvQuery> queries) {
    var batches = new ArrayList<List<Asked>>();
    for (var from = 0; from < queries.size(); from += settings.maxBatch()) {
      batches.add(
          queries.subList(from, Math.min(queries.size(), from + settings.maxBatch())).stream()
              .map(query -> new Asked(query, null))
              .toList());
    }
    return batches;
  }

  /** One batch on its way through its pages; its requests follow each other. */
  private final class Batch {

    private final Effect effect;
    private final Answers answers;

    Batch(Effect effect, Answers answers) {
      this.effect = effect;
      this.answers = answers;
    }

    Uni<Answers> ask(List<Asked> asked, int page) {
      if (asked.isEmpty()) {
        return Uni.createFrom().item(answers);
      }
      if (page > settings.maxPages()) {
        return Uni.createFrom()
            .failure(
                new AdvisoriesUnavailable(
                    "the OSV API did not end after " + settings.maxPages() + " pages"));
      }
      return calls
          .post(PATH, OsvBatchJson.write(asked), effect)
          .flatMap(answer -> goOn(asked, page, answer));
    }

    private Uni<Answers> goOn(List<Asked> asked, int page, Answer answer) {
      return switch (answer.status()) {
        case OK -> ask(nextPages(asked, answer), page + 1);
        case BAD_REQUEST -> isolate(asked, page, OsvBatchJson.message(answer.body()));
        default ->
            Uni.createFrom()
                .failure(
                    new AdvisoriesUnavailable(
                        "the OSV API has no " + PATH + ": it answered " + answer.status()));
      };
    }

    private List<Asked> nextPages(List<Asked> asked, Answer answer) {
      var pages = OsvBatchJson.read(answer.body(), asked.size());
      answers.add(asked, pages);
      var next = new ArrayList<Asked>();
      for (var i = 0; i < asked.size(); i++) {
        var token = pages.get(i).nextPageToken();
        if (token != null) {
          next.add(new Asked(asked.get(i).query(), token));
        }
      }
      return next;
    }

    /** By its index if OSV names it, else by halves. */
    private Uni<Answers> isolate(List<Asked> asked, int page, String message) {
      var named = REFUSED_AT.matcher(message);
      if (named.matches() && named.group(1).length() < 10) {
        var index = Integer.parseInt(named.group(1));
        if (index < asked.size()) {
          return without(asked, index, page, named.group(2));
        }
      }
      if (asked.size() == 1) {
        return without(asked, 0, page, message);
      }
      var half = asked.size() / 2;
      return ask(asked.subList(0, half), page)
          .flatMap(first -> ask(asked.subList(half, asked.size()), page));
    }

    private Uni<Answers> without(List<Asked> asked, int index, int page, String message) {
      answers.refused.put(asked.get(index).query(), "the OSV API refused the query: " + message);
      if (answers.refused.size() > settings.maxRefusedQueries()) {
        return Uni.createFrom()
            .failure(
                new AdvisoriesUnavailable(
                    "the OSV API refused more than "
                        + settings.maxRefusedQueries()
                        + " queries; the last: "
                        + message));
      }
      var others = new ArrayList<>(asked);
      others.remove(index);
      return ask(others, page);
    }
  }
}
