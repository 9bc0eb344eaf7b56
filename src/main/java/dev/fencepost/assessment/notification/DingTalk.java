package dev.fencepost.assessment.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A group robot of DingTalk. Its signature stands in the query, dated in milliseconds. */
final class DingTalk implements Dialect {

  /** The robot takes 20,000 bytes of body; half of it, because JSON may double a text. */
  private static final int TEXT_MAX_BYTES = 9_000;

  /** Who is too fast is not heard at all for this long. */
  private static final Duration PUNISHMENT = Duration.ofMinutes(10);

  private static final RobotCodes CODES =
      new RobotCodes(
          List.of("errcode"),
          "errmsg",
          Set.of(310000L, 300005L, 40035L), // signature, keyword or ip; token; parameter
          Map.of(130101L, PUNISHMENT));

  private final Credentials credentials;
  private final RateBudget budget = RateBudget.twentyAMinute();

  DingTalk(Credentials credentials) {
    this.credentials = credentials;
  }

  @Override
  public Message message(Alarm alarm, Effect effect, boolean mayRepeat, Instant now) {
    var text = Utf8.cut(AlarmText.of(alarm, mayRepeat).text(), TEXT_MAX_BYTES);
    var body = Json.object().put("msgtype", "text");
    body.putObject("text").put("content", text);
    body.putObject("at").put("isAtAll", false);
    return new Message(
        credentials.secret().map(secret -> signed(secret, now)).orElse(credentials.url()),
        Map.of("Content-Type", "application/json; charset=utf-8"),
        Json.bytes(body));
  }

  private URI signed(String secret, Instant now) {
    var millis = Long.toString(now.toEpochMilli());
    var sign = URLEncoder.encode(Signatures.dingTalk(secret, millis), UTF_8);
    var separator = credentials.url().getRawQuery() == null ? "?" : "&";
    return URI.create(credentials.url() + separator + "timestamp=" + millis + "&sign=" + sign);
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
