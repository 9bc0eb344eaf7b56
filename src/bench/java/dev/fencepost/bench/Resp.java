package dev.fencepost.bench;

import java.util.Arrays;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.util.SafeEncoder;

/** A blocking connection to Redis, for what is done beside the measuring. */
final class Resp implements AutoCloseable {

  private static final int ANSWER_WITHIN_MS = 120_000;

  private final Jedis jedis;

  Resp(int port, String password) {
    jedis = new Jedis("127.0.0.1", port, ANSWER_WITHIN_MS);
    jedis.auth(password);
  }

  /** A string, a long, a list of these, or null. */
  Object send(Object... words) {
    var texts = Arrays.stream(words).map(String::valueOf).toArray(String[]::new);
    var arguments = Arrays.copyOfRange(texts, 1, texts.length);
    return SafeEncoder.encodeObject(
        jedis.sendCommand(() -> SafeEncoder.encode(texts[0]), arguments));
  }

  String text(Object... words) {
    return String.valueOf(send(words));
  }

  /** The next line, after {@code MONITOR}. */
  String line() {
    return jedis.getClient().getBulkReply();
  }

  @Override
  public void close() {
    jedis.close();
  }
}
