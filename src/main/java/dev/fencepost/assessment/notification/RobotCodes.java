package dev.fencepost.assessment.notification;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fencepost.assessment.notification.Delivery.Delivered;
import dev.fencepost.assessment.notification.Delivery.Permanent;
import dev.fencepost.assessment.notification.Delivery.RetryLater;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The codes by which a robot's body says what became of a message. HTTP 200 alone says nothing: a
 * body without a code leaves it in doubt. A code that we do not know is still a "no", and may be
 * repeated because attempts are bounded.
 */
final class RobotCodes {

  private static final int LONGEST_WORDS_BYTES = 160;
  private static final String FEISHU_RESET_SECONDS = "x-ogw-ratelimit-reset";

  private final List<String> fields;
  private final String words;
  private final Set<Long> never;
  private final Map<Long, Duration> tooFast;

  /**
   * Names a robot's codes.
   *
   * @param fields that may hold the code, the newest first; 0 is success
   * @param words the field in which the robot explains itself
   * @param never codes of what no repeat can mend
   * @param tooFast codes of rate limits, and how long the robot punishes
   */
  RobotCodes(List<String> fields, String words, Set<Long> never, Map<Long, Duration> tooFast) {
    this.fields = List.copyOf(fields);
    this.words = words;
    this.never = Set.copyOf(never);
    this.tooFast = Map.copyOf(tooFast);
  }

  /** What the answer says, without anything that came out of the URL or the secret. */
  Delivery read(Answer answer, Credentials credentials, Instant now) {
    var body = Json.parseObject(answer.body()).orElseGet(Json::object);
    return code(body)
        .map(code -> judge(answer, code, reason(code, body, credentials), now))
        .orElseGet(() -> Verdicts.byStatus(answer, now));
  }

  private Optional<Long> code(JsonNode body) {
    return fields.stream()
        .map(body::path)
        .filter(JsonNode::isIntegralNumber)
        .map(JsonNode::longValue)
        .findFirst();
  }

  private Delivery judge(Answer answer, long code, String reason, Instant now) {
    if (code == 0 && Verdicts.isSuccess(answer)) {
      return new Delivered();
    }
    if (never.contains(code)) {
      return new Permanent(reason);
    }
    if (tooFast.containsKey(code)) {
      return new RetryLater(reason, wait(answer, now).orElse(tooFast.get(code)));
    }
    return Verdicts.isSuccess(answer)
        ? new RetryLater(reason, Duration.ZERO)
        : Verdicts.byStatus(answer, now);
  }

  private static Optional<Duration> wait(Answer answer, Instant now) {
    return RetryAfter.of(answer, now).or(() -> RetryAfter.seconds(answer, FEISHU_RESET_SECONDS));
  }

  private String reason(long code, JsonNode body, Credentials credentials) {
    var plain = body.path(words).asText("").replaceAll("\\p{Cntrl}+", " ").strip();
    var said = Utf8.cut(credentials.mask(plain), LONGEST_WORDS_BYTES);
    return said.isEmpty() ? "code " + code : "code " + code + ": " + said;
  }
}
