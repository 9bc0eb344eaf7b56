package dev.fencepost.platform.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The real road, with a window: which commands went over it, and for which keys? */
@Alternative
@Priority(1)
@ApplicationScoped
public class WatchedRoad implements RedisRoad {

  /** One round trip: a script or a command, and the text of its keys and arguments. */
  public record Trip(String what, String operands) {}

  /**
   * How a round trip can be lost: before Redis hears of it, or after it has done what it was asked.
   */
  public enum Fault {
    REQUEST_LOST,
    REPLY_LOST
  }

  private record Plan(Predicate<String> operands, AtomicInteger left, Fault fault) {}

  private volatile @Nullable Plan plan;
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
    var trip = new Trip(script.name(), keys.toString() + args);
    return noted(trip, lossy(trip, real.run(script, keys, args)));
  }

  @Override
  public Uni<Response> runConfirmed(LuaScript script, List<String> keys, List<String> args) {
    var trip = new Trip(script.name(), keys.toString() + args);
    return noted(trip, lossy(trip, real.runConfirmed(script, keys, args)));
  }

  /** What went over the road for something, in order. */
  public List<String> tripsFor(Predicate<String> operands) {
    return trips.stream().filter(t -> operands.test(t.operands())).map(Trip::what).toList();
  }

  /** Loses the n-th script run from now on that is about something. */
  public void lose(int nth, Fault fault, Predicate<String> operands) {
    plan = new Plan(operands, new AtomicInteger(nth), fault);
  }

  private Uni<Response> lossy(Trip trip, Uni<Response> answer) {
    var loss = plan;
    if (loss == null
        || trip.what().equals("fence/renew")
        || !loss.operands().test(trip.operands())
        || loss.left().decrementAndGet() != 0) {
      return answer;
    }
    return switch (loss.fault()) {
      case REQUEST_LOST -> Uni.createFrom().failure(RedisUnavailable.noAnswer("request lost"));
      case REPLY_LOST -> answer.onItem().failWith(() -> RedisUnavailable.noAnswer("reply lost"));
    };
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
