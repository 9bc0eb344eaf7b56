package dev.fencepost;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.util.SafeEncoder;

/** Reads back what the service wrote, and does what an operator does by hand. */
public record RedisByHand(String host, int port, String password) {

  private static final int ANSWER_WITHIN_MS = 5_000;

  /**
   * Where these settings lead.
   *
   * @param settings as {@code RunningStores} gives them
   */
  public static RedisByHand of(Map<String, String> settings) {
    var hosts = URI.create(settings.get("quarkus.redis.hosts"));
    return new RedisByHand(
        hosts.getHost(), hosts.getPort(), settings.getOrDefault("quarkus.redis.password", ""));
  }

  /**
   * Over a connection of its own.
   *
   * @return a String, a Long, a list of these, or null
   */
  public Object send(String command, String... words) {
    try (var jedis = new Jedis(host, port, ANSWER_WITHIN_MS)) {
      jedis.auth(password);
      return SafeEncoder.encodeObject(jedis.sendCommand(() -> SafeEncoder.encode(command), words));
    }
  }

  /** The same for a command in one line. */
  public Object line(String command) {
    var words = command.split(" ");
    return send(words[0], Arrays.copyOfRange(words, 1, words.length));
  }

  /** The program that runs behind these settings. */
  public static Path programOf(Map<String, String> settings) {
    return of(settings)
        .send("INFO", "server")
        .toString()
        .lines()
        .filter(line -> line.startsWith("executable:"))
        .map(line -> Path.of(line.substring("executable:".length())))
        .findFirst()
        .orElseThrow();
  }

  /** What a command with field and value in turn answers. */
  public static Map<String, String> pairs(Object flat) {
    var fields = new LinkedHashMap<String, String>();
    var list = (List<?>) flat;
    for (var i = 0; i + 1 < list.size(); i += 2) {
      fields.put(list.get(i).toString(), list.get(i + 1).toString());
    }
    return fields;
  }
}
