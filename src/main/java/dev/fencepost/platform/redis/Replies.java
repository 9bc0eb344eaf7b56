package dev.fencepost.platform.redis;

import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what scripts return as flat lists. */
public final class Replies {

  private Replies() {}

  /** The fields and values that follow the first entries of a list. */
  public static Map<String, String> pairs(Response list, int from) {
    var pairs = new HashMap<String, String>();
    for (var i = from; i + 1 < list.size(); i += 2) {
      pairs.put(list.get(i).toString(), list.get(i + 1).toString());
    }
    return pairs;
  }

  /** A whole hash: flat in RESP2, a map in RESP3; empty if there is none. */
  public static Map<String, String> hash(@Nullable Response reply) {
    if (reply == null) {
      return Map.of();
    }
    if (!reply.isMap()) {
      return pairs(reply, 0);
    }
    var hash = new HashMap<String, String>();
    reply.getKeys().forEach(field -> hash.put(field, reply.get(field).toString()));
    return hash;
  }

  /** Members and whole scores of a {@code WITHSCORES} reply, flat in RESP2, nested in RESP3. */
  public static List<Map.Entry<String, Long>> scores(Response list) {
    var scores = new ArrayList<Map.Entry<String, Long>>();
    var nested = list.size() > 0 && list.get(0).type() == ResponseType.MULTI;
    for (var i = 0; i + (nested ? 0 : 1) < list.size(); i += nested ? 1 : 2) {
      var member = nested ? list.get(i).get(0) : list.get(i);
      var score = nested ? list.get(i).get(1) : list.get(i + 1);
      scores.add(Map.entry(member.toString(), (long) Double.parseDouble(score.toString())));
    }
    return scores;
  }
}
