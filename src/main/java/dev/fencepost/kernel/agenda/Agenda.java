package dev.fencepost.kernel.agenda;

import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Which unfinished things are to be looked at now. One structure is the queue, the retry timer and
 * the reaper: its score says when someone should next look.
 */
@ApplicationScoped
public class Agenda {

  private static final LuaScript DUE = LuaScript.named("agenda/due");

  private final RedisRoad redis;

  Agenda(RedisRoad redis) {
    this.redis = redis;
  }

  /** What is due in one lane's agenda by Redis time, oldest first. */
  public Uni<List<String>> due(String agendaKey, int batch) {
    return redis
        .run(DUE, List.of(agendaKey), List.of(Integer.toString(batch)))
        .map(entries -> entries.stream().map(Response::toString).toList());
  }
}
