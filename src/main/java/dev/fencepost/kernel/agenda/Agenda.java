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
  private final AgendaLoad load;

  Agenda(RedisRoad redis, AgendaLoad load) {
    this.redis = redis;
    this.load = load;
  }

  /** What is due in one lane's agenda by Redis time, oldest first. */
  public Uni<List<String>> due(String agendaKey, int batch) {
    return redis
        .run(DUE, List.of(agendaKey), List.of(Integer.toString(batch)))
        .invoke(answer -> load.seen(agendaKey, number(answer.get(0)), number(answer.get(1))))
        .map(answer -> answer.stream().skip(2).map(Response::toString).toList());
  }

  private static long number(Response reply) {
    return Long.parseLong(reply.toString());
  }
}
