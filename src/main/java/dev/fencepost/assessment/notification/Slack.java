package dev.fencepost.assessment.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.assessment.notification.Delivery.Delivered;
import dev.fencepost.assessment.notification.Delivery.Permanent;
import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/** An incoming webhook of Slack. It answers in words, and {@code ok} is the only good one. */
final class Slack implements Dialect {

  /** What Slack recommends; more is shown folded, and cut at 40,000. */
  private static final int TEXT_MAX_BYTES = 4_000;

  private static final Set<String> REFUSALS =
      Set.of(
          "invalid_payload",
          "user_not_found",
          "action_prohibited",
          "channel_not_found",
          "channel_is_archived",
          "no_service",
          "no_team",
          "invalid_token");

  private final Credentials credentials;
  private final RateBudget budget = RateBudget.oneASecond();

  Slack(Credentials credentials) {
    this.credentials = credentials;
  }

  @Override
  public Message message(Alarm alarm, Effect effect, boolean mayRepeat, Instant now) {
    var text = Utf8.cut(AlarmText.of(alarm, mayRepeat).text(), TEXT_MAX_BYTES);
    return new Message(
        credentials.url(),
        Map.of("Content-Type", "application/json"),
        Json.bytes(Json.object().put("text", escaped(text))));
  }

  // The three characters of Slack's control sequences, e.g. <!channel>.
  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public Delivery read(Answer answer, Instant now) {
    var word = new String(answer.body(), UTF_8).strip();
    if (Verdicts.isSuccess(answer) && word.equals("ok")) {
      return new Delivered();
    }
    return REFUSALS.contains(word) ? new Permanent(word) : Verdicts.byStatus(answer, now);
  }

  @Override
  public RateBudget budget() {
    return budget;
  }
}
