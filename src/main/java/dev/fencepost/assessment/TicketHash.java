package dev.fencepost.assessment;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.Unevaluated;
import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.assessment.probe.Online;
import dev.fencepost.assessment.risk.Verdict;
import dev.fencepost.platform.http.JsonShape;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A ticket as Redis keeps it: a hash whose structured values are opaque JSON. Scripts never look
 * into them.
 */
@ApplicationScoped
class TicketHash {

  private static final String REFUSALS = "\"stale_writes_refused\":";

  /** What an event carries aside of an ended ticket. */
  static final String HEAD = "head";

  /** The count of refusals, which any event about a ticket may carry aside. */
  static final String REFUSED = "refused";

  private static final TypeReference<TicketAnswer> ANSWER = new TypeReference<>() {};
  private static final TypeReference<List<Finding>> FINDINGS = new TypeReference<>() {};
  private static final TypeReference<List<Unevaluated>> UNEVALUATED = new TypeReference<>() {};
  private static final TypeReference<List<Notification>> NOTIFICATIONS = new TypeReference<>() {};
  private static final TypeReference<Online> ONLINE = new TypeReference<>() {};
  private static final TypeReference<Verdict> VERDICT = new TypeReference<>() {};

  private final ObjectMapper json;

  TicketHash(ObjectMapper json) {
    // A newer replica may have written a field that this one does not know yet.
    this.json = json.copy().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  }

  /** The fields in which two states of a ticket differ. */
  Map<String, String> changes(Ticket before, Ticket after) {
    var changes = new LinkedHashMap<String, String>();
    progress(changes, before.progress(), after.progress());
    facts(changes, before.facts(), after.facts());
    if (after.finishedAt() != null) {
      changes.put("finished_at", JsonShape.text(after.finishedAt()));
    }
    return changes;
  }

  private void progress(Map<String, String> changes, Progress before, Progress after) {
    if (before.attempts() != after.attempts()) {
      changes.put("attempts", Integer.toString(after.attempts()));
    }
    if (!before.completedSteps().equals(after.completedSteps())) {
      changes.put(
          "completed_steps", after.completedSteps().stream().map(Step::name).collect(joining(",")));
    }
    if (after.lastFailedStep() != null && after.lastFailedStep() != before.lastFailedStep()) {
      changes.put("last_failed_step", after.lastFailedStep().name());
    }
    if (after.lastError() != null && !after.lastError().equals(before.lastError())) {
      changes.put("last_error", after.lastError());
    }
    if (after.nextAttemptAt() != null) {
      changes.put("next_attempt_at", JsonShape.text(after.nextAttemptAt()));
    } else if (before.nextAttemptAt() != null) {
      changes.put("next_attempt_at", "");
    }
    if (after.status() == TicketStatus.FAILED) {
      changes.put("failed_from", before.status().name());
    }
  }

  private void facts(Map<String, String> changes, Facts before, Facts after) {
    put(changes, "online", before.online(), after.online());
    put(changes, "findings", before.findings(), after.findings());
    put(changes, "unevaluated", before.unevaluated(), after.unevaluated());
    put(changes, "verdict", before.verdict(), after.verdict());
    put(changes, "notifications", before.notifications(), after.notifications());
  }

  private void put(
      Map<String, String> changes, String field, @Nullable Object before, @Nullable Object after) {
    if (after != null && after != before) {
      changes.put(field, text(after));
    }
  }

  /** Reads a ticket out of its fields. */
  Ticket ticket(Map<String, String> hash, long refused) {
    return new Ticket(
        required(hash, "ticket_id"),
        required(hash, "asset_id"),
        Long.parseLong(required(hash, "fencing_token")),
        progressOf(hash),
        factsOf(hash),
        Instant.parse(required(hash, "created_at")),
        Instant.parse(required(hash, "updated_at")),
        instant(hash, "finished_at"),
        refused);
  }

  private static Progress progressOf(Map<String, String> hash) {
    var failed = hash.get("last_failed_step");
    return new Progress(
        TicketStatus.valueOf(required(hash, "status")),
        Integer.parseInt(required(hash, "attempts")),
        Arrays.stream(hash.getOrDefault("completed_steps", "").split(","))
            .filter(step -> !step.isEmpty())
            .map(Step::valueOf)
            .toList(),
        failed == null ? null : Step.valueOf(failed),
        hash.get("last_error"),
        instant(hash, "next_attempt_at"));
  }

  private Facts factsOf(Map<String, String> hash) {
    var online = hash.get("online");
    var findings = hash.get("findings");
    var unevaluated = hash.get("unevaluated");
    var verdict = hash.get("verdict");
    var notifications = hash.get("notifications");
    return new Facts(
        online == null ? null : read(online, ONLINE),
        findings == null ? List.of() : read(findings, FINDINGS),
        unevaluated == null ? List.of() : read(unevaluated, UNEVALUATED),
        verdict == null ? null : read(verdict, VERDICT),
        notifications == null ? List.of() : read(notifications, NOTIFICATIONS));
  }

  /** The ticket as clients see it, up to the count of refusals, which may still grow. */
  String head(Ticket ticket) {
    var whole = text(TicketAnswer.of(ticket));
    var cut = whole.lastIndexOf(REFUSALS) + REFUSALS.length();
    if (!whole.substring(cut).equals(ticket.staleWritesRefused() + "}")) {
      throw new AssertionError("the count of refusals must come last in a ticket's JSON");
    }
    return whole.substring(0, cut);
  }

  /** A ticket as an event carries it aside: its head, or all of its fields. */
  TicketAnswer told(Map<String, String> aside) {
    var refused = aside.getOrDefault(REFUSED, "0");
    var head = aside.get(HEAD);
    return head == null
        ? TicketAnswer.of(ticket(aside, Long.parseLong(refused)))
        : read(whole(head, refused), ANSWER);
  }

  /** Notifications as the hash keeps them, so that a script can compare them as text. */
  String notifications(List<Notification> notifications) {
    return text(notifications);
  }

  /** The whole answer again, from its head and today's count. */
  static String whole(String head, String refused) {
    return head + refused + "}";
  }

  private String text(Object value) {
    try {
      return json.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new AssertionError("facts are plain data", e);
    }
  }

  private <T> T read(String text, TypeReference<T> type) {
    try {
      return json.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a ticket holds JSON that we did not write", e);
    }
  }

  private static @Nullable Instant instant(Map<String, String> hash, String field) {
    var text = hash.get(field);
    return text == null || text.isEmpty() ? null : Instant.parse(text);
  }

  private static String required(Map<String, String> hash, String field) {
    var value = hash.get(field);
    if (value == null) {
      throw new IllegalStateException("a ticket without " + field);
    }
    return value;
  }
}
