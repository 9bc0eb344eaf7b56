package dev.fencepost.architecture.bad;

import dev.fencepost.platform.redis.RedisRoad;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.ws.rs.Path;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Everything we do not do, so that the rules can be seen to catch it. */
@Path("/bad")
public class BadService {

  static int counter;

  record Leaky(Uni<String> value) {}

  Uni<Response> writesAroundTheStore(RedisRoad redis, Request request) {
    return redis.send(request);
  }

  String awaits(Uni<String> uni) {
    return uni.await().indefinitely();
  }

  Uni<String> awaitsInALambda(Uni<String> outer, Uni<String> inner) {
    return outer.map(ignored -> inner.await().indefinitely());
  }

  Function<Uni<String>, Object> awaitsByReference() {
    return Uni::await;
  }

  String joins(CompletableFuture<String> future) {
    return future.join();
  }

  void subscribes(Uni<String> uni) {
    uni.subscribe().with(item -> {});
  }

  Uni<String> recovers(Uni<String> uni) {
    return uni.onFailure().recoverWithNull();
  }

  Instant callsTheClock() {
    return Instant.now();
  }

  Supplier<Instant> refersToTheClock() {
    return Instant::now;
  }

  Supplier<UUID> refersToChance() {
    return UUID::randomUUID;
  }

  Random makesChance() {
    return new Random();
  }

  @Scheduled(every = "1h")
  void blockingSchedule() {}
}
