package dev.fencepost.platform.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** The real road, with a window: which commands went over it, and for which keys? */
@Alternative
@Priority(1)
@ApplicationScoped
public class WatchedRoad implements RedisRoad {

  /** One round trip: a script or a command, and the text of its keys and arguments. */
  public record Trip(String what, String operands) {}

  private final PipelinedRoad real;
  private final List<Trip> trips = new CopyOnWriteArrayList<>();

  WatchedRoad(PipelinedRoad real) {
    this.real = real;
  }

  @Override
  public Uni<Response> send(Request request) {
    return noted(new Trip(request.command().toString(), request.toString()), real.send(request));
  }

  @Override
  public Uni<Response> run(LuaScript script, List<String> keys, List<String> args) {
    return noted(new Trip(script.name(), keys.toString() + args), real.run(script, keys, args));
  }

  /** What went over the road for something, in order. */
  public List<String> tripsFor(Predicate<String> operands) {
    return trips.stream().filter(t -> operands.test(t.operands())).map(Trip::what).toList();
  }

  private Uni<Response> noted(Trip trip, Uni<Response> answer) {
    return Uni.createFrom()
        .deferred(
            () -> {
              trips.add(trip);
              return answer;
            });
  }
}
