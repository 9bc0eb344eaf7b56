package dev.fencepost.platform.redis;

import io.vertx.redis.client.Response;
import java.util.HashMap;
import java.util.Map;

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
}
