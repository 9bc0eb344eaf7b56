package dev.fencepost.assessment.notification;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A group robot of WeCom. It is sent texts, not markdown: in markdown a tenant's display name could
 * mention people and forge links.
 */
final class WeCom implements Dialect {

  private static final int TEXT_MAX_BYTES = 2048;

  private static final RobotCodes CODES =
      new RobotCodes(
          List.of("errcode"),
          "errmsg",
          Set.of(93000L, 40008L, 40058L, 44004L, 45002L), // url or text refused
          Map.of(45009L, Verdicts.ONE_WINDOW, 45033L, Verdicts.ONE_WINDOW));

  private final Credentials credentials;
  private final RateBudget budget = RateBudget.twentyAMinute();

  WeCom(Credentials credentials) {
    this.credentials = credentials;
  }

  @Override
  public Message message(Alarm alarm, Effect effect, boolean mayRepeat, Instant now) {
    var text = Utf8.cut(AlarmText.of(alarm, mayRepeat).text(), TEXT_MAX_BYTES);
    var body = Json.object().put("msgtype", "text");
    body.putObject("text").put("content", text);
    return new Message(
        credentials.url(),
        Map.of("Content-Type", "application/json; charset=UTF-8"),
        Json.bytes(body));
  }

  @Override
  public Delivery read(Answer answer, Instant now) {
    return CODES.read(answer, credentials, now);
  }

  @Override
  public RateBudget budget() {
    return budget;
  }
}
