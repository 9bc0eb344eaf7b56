package dev.fencepost.assessment.notification;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A bot of Feishu or Lark. It is sent posts made of text elements, which take every character
 * literally: in a plain text a tenant's display name could mention everyone.
 */
final class Feishu implements Dialect {

  /**
   * A body has 20 KB: twice these for what JSON may add, and 30 bytes around each line of the post.
   */
  private static final int TEXT_MAX_BYTES = 8_000;

  private static final int TITLE_MAX_BYTES = 512;
  private static final int MOST_LINES = 60;

  private static final RobotCodes CODES =
      new RobotCodes(
          List.of("code", "StatusCode"),
          "msg",
          Set.of(19001L, 19021L, 19022L, 19024L, 9499L), // token, signature, ip, keyword, body
          Map.of(11232L, Verdicts.ONE_WINDOW, 99991400L, Verdicts.ONE_WINDOW));

  private final Credentials credentials;
  private final RateBudget budget = RateBudget.hundredAMinute();

  Feishu(Credentials credentials) {
    this.credentials = credentials;
  }

  @Override
  public Message message(Alarm alarm, Effect effect, boolean mayRepeat, Instant now) {
    var body = Json.object();
    credentials
        .secret()
        .ifPresent(
            secret -> {
              var seconds = Long.toString(now.getEpochSecond());
              body.put("timestamp", seconds).put("sign", Signatures.feishu(secret, seconds));
            });
    body.put("msg_type", "post");
    var text = AlarmText.of(alarm, mayRepeat);
    var post = body.putObject("content").putObject("post").putObject("zh_cn");
    post.put("title", Utf8.cut(text.title(), TITLE_MAX_BYTES));
    var content = post.putArray("content");
    lines(text)
        .forEach(line -> content.addArray().addObject().put("tag", "text").put("text", line));
    return new Message(
        credentials.url(), Map.of("Content-Type", "application/json"), Json.bytes(body));
  }

  private static Stream<String> lines(AlarmText text) {
    return Stream.of(
        Utf8.cut(String.join("\n", text.lines()), TEXT_MAX_BYTES).split("\n", MOST_LINES));
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
