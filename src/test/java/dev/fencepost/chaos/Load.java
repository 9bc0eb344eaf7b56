package dev.fencepost.chaos;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/** A client that asks for assessments, remembers what it was promised, and doubts every answer. */
final class Load {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);
  private static final String INVENTORY =
      "{\"components\":[{\"purl\":\"pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1\"}]}";
  private static final Pattern TICKET = Pattern.compile("\"ticket_id\":\"([^\"]+)\"");
  private static final Pattern STATUS = Pattern.compile("\"status\":\"([A-Z_]+)\"");

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final String probe;

  /** Of every ticket that an answer named, the asset that was asked about. */
  private final Map<String, String> accepted = new ConcurrentHashMap<>();

  /** Of every ticket that an answer said had ended, its status. */
  private final Map<String, String> ended = new ConcurrentHashMap<>();

  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final Map<String, Integer> answers = new ConcurrentHashMap<>();
  private final Queue<String> lies = new ConcurrentLinkedQueue<>();

  Load(Outside outside) {
    probe = outside.url() + "/probe/";
  }

  void register(ServiceProcess replica, String asset) {
    must(put(replica, "/v1/assets/" + asset, "{\"address\":\"" + probe + asset + "\"}"));
    must(put(replica, "/v1/assets/" + asset + "/inventory", INVENTORY));
  }

  /** Asks once; true if a ticket was promised. */
  boolean assess(ServiceProcess replica, String asset, int waitSeconds) {
    try {
      return judge(asset, send(assessment(replica, asset, waitSeconds)));
    } catch (IOException e) {
      count("no answer");
      return false;
    }
  }

  /** Asks once; the answer as it came. */
  HttpResponse<String> answer(ServiceProcess replica, String asset, int waitSeconds) {
    try {
      return send(assessment(replica, asset, waitSeconds));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpRequest assessment(ServiceProcess replica, String asset, int waitSeconds) {
    return HttpRequest.newBuilder(replica.at("/v1/assets/" + asset + "/assessments"))
        .timeout(ANSWER_LIMIT.plusSeconds(waitSeconds))
        .header("Content-Type", "application/json")
        .header("Prefer", "wait=" + waitSeconds)
        .POST(BodyPublishers.ofString("{\"force\":true}"))
        .build();
  }

  /** What a person says became of a notification in doubt. */
  HttpResponse<String> settle(ServiceProcess replica, String ticketId, String channel, String is) {
    try {
      return send(
          HttpRequest.newBuilder(
                  replica.at("/v1/tickets/%s/notifications/%s/settle".formatted(ticketId, channel)))
              .timeout(ANSWER_LIMIT)
              .header("Content-Type", "application/json")
              .POST(
                  BodyPublishers.ofString("{\"state\":\"%s\",\"reason\":\"asked\"}".formatted(is)))
              .build());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  String ticket(ServiceProcess replica, String ticketId) {
    try {
      return send(get(replica, "/v1/tickets/" + ticketId)).body();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The asset's ticket as a client that asks without force gets it, from the fast filter. */
  String known(ServiceProcess replica, String asset) {
    try {
      return send(HttpRequest.newBuilder(replica.at("/v1/assets/" + asset + "/assessments"))
              .timeout(ANSWER_LIMIT)
              .POST(BodyPublishers.noBody())
              .build())
          .body();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  Set<String> accepted() {
    return Set.copyOf(accepted.keySet());
  }

  /** How often each kind of answer came. */
  Map<String, Integer> answers() {
    return new TreeMap<>(answers);
  }

  /** Answers that were not true, or that no client can act on. */
  List<String> lies(History history) {
    accepted.forEach(
        (id, asset) -> {
          var ticket = history.tickets().get(id);
          if (ticket == null || !ticket.assetId().equals(asset)) {
            lies.add("ticket " + id + " was promised for " + asset + ", but there is " + ticket);
          }
        });
    ended.forEach(
        (id, status) -> {
          var ticket = history.tickets().get(id);
          if (ticket != null && !ticket.status().equals(status)) {
            lies.add("ticket " + id + " was said to be " + status + ", but is " + ticket);
          }
        });
    return List.copyOf(lies);
  }

  private boolean judge(String asset, HttpResponse<String> answer) {
    count(Integer.toString(answer.statusCode()));
    switch (answer.statusCode()) {
      case 200, 202 -> {
        var id = found(TICKET, answer.body());
        accepted.put(id, asset);
        if (answer.statusCode() == 200) {
          ended.put(id, found(STATUS, answer.body()));
        }
        return true;
      }
      case 503 -> {
        if (answer.headers().firstValue("Retry-After").isEmpty()) {
          lies.add("503 without Retry-After: " + answer.body());
        }
        return false;
      }
      default -> {
        lies.add(answer.statusCode() + " " + answer.body());
        return false;
      }
    }
  }

  private HttpResponse<String> put(ServiceProcess replica, String path, String body) {
    try {
      return send(
          HttpRequest.newBuilder(replica.at(path))
              .timeout(ANSWER_LIMIT)
              .header("Content-Type", "application/json")
              .PUT(BodyPublishers.ofString(body))
              .build());
    } catch (IOException e) {
      throw new AssertionError(path, e);
    }
  }

  private static void must(HttpResponse<String> answer) {
    if (answer.statusCode() >= 300) {
      throw new AssertionError(answer.statusCode() + " " + answer.body());
    }
  }

  private static HttpRequest get(ServiceProcess replica, String path) {
    return HttpRequest.newBuilder(replica.at(path)).timeout(ANSWER_LIMIT).build();
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException {
    try {
      return http.send(asAdmin(request), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One login is good for all replicas, and for the whole scenario. */
  private HttpRequest asAdmin(HttpRequest request) {
    var token =
        tokens.computeIfAbsent(
            "admin",
            admin ->
                LoggedIn.token(
                    "http://" + request.uri().getAuthority(), admin, LoggedIn.ADMIN_PASSWORD));
    return HttpRequest.newBuilder(request, (name, value) -> true)
        .header("Authorization", "Bearer " + token)
        .build();
  }

  private void count(String kind) {
    answers.merge(kind, 1, Integer::sum);
  }

  private static String found(Pattern pattern, String body) {
    var match = pattern.matcher(body);
    if (!match.find()) {
      throw new AssertionError("no " + pattern + " in " + body);
    }
    return match.group(1);
  }
}
