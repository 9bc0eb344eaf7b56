package dev.fencepost.kernel.idempotency;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Lets tests decide when work ends, and with which status. Work nobody holds ends at once. */
@ApplicationScoped
class HeldWork {

  private final Map<String, List<CompletableFuture<Integer>>> begun = new ConcurrentHashMap<>();
  private final Map<String, Integer> held = new ConcurrentHashMap<>();
  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();

  Uni<Integer> begin(String name) {
    var end = new CompletableFuture<Integer>();
    var all = begun.computeIfAbsent(name, key -> new CopyOnWriteArrayList<>());
    all.add(end);
    if (all.size() > held.getOrDefault(name, 0)) {
      end.complete(statuses.getOrDefault(name, 201));
    }
    return Uni.createFrom().completionStage(end);
  }

  /** The first so many will wait. */
  void hold(String name, int first) {
    held.put(name, first);
  }

  void answerWith(String name, int status) {
    statuses.put(name, status);
  }

  void release(String name, int nth, int status) {
    begun.get(name).get(nth - 1).complete(status);
  }

  int begun(String name) {
    return begun.getOrDefault(name, List.of()).size();
  }
}
