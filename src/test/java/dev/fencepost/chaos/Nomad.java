package dev.fencepost.chaos;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client as a load balancer makes it: it asks one replica, and moves on to the next when that
 * closes its connection or says that it stops. Any other refusal is a failure.
 */
final class Nomad {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
  private static final int MOST_MOVES = 600;

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final List<ServiceProcess> replicas;
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final String token;
  private int at;
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger moved = new AtomicInteger();

  Nomad(List<ServiceProcess> replicas, int first) {
    this.replicas = replicas;
    this.at = first;
    this.token =
        LoggedIn.token(
            "http://" + replicas.get(0).at("/").getAuthority(), "admin", LoggedIn.ADMIN_PASSWORD);
  }

  int answered() {
    return answered.get();
  }

  int moved() {
    return moved.get();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  void fail(String what, HttpResponse<String> answer) {
    failures.add(what + ": " + answer.statusCode() + " " + answer.body());
  }

  /** Asks until some replica answers with something else than that it stops. */
  HttpResponse<String> post(String path, String body, Map<String, String> headers) {
    for (var moves = 0; moves < MOST_MOVES; moves++) {
      var replica = replicas.get(at % replicas.size());
      try {
        var answer = send(replica, path, body, headers);
        if (answer.statusCode() != 503 || !answer.body().contains(":problem:stopping")) {
          answered.incrementAndGet();
          return answer;
        }
      } catch (ConnectException gone) {
        Patience.pause(20);
      } catch (HttpTimeoutException silent) {
        failures.add(path + " at " + replica.name() + ": no answer within " + ANSWER_LIMIT);
      } catch (IOException closed) {
        // Closed by the replica that ends: nobody knows whether it was heard, so it is repeated.
      }
      moved.incrementAndGet();
      at++;
    }
    throw new AssertionError("nobody answers " + path);
  }

  private HttpResponse<String> send(
      ServiceProcess replica, String path, String body, Map<String, String> headers)
      throws IOException {
    var request =
        HttpRequest.newBuilder(replica.at(path))
            .timeout(ANSWER_LIMIT)
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(body));
    headers.forEach(request::header);
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
