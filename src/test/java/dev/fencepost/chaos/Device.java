package dev.fencepost.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.LoggedIn;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A device that follows its stream on one replica until it is closed, whatever happens to it. */
final class Device implements AutoCloseable {

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private static final Duration LIMIT = Duration.ofSeconds(30);

  final String id;
  private final List<String> commands = new CopyOnWriteArrayList<>();
  private volatile ServiceProcess replica;
  private volatile boolean closed;
  private volatile InputStream open;

  Device(String id, ServiceProcess replica) {
    this.id = id;
    this.replica = replica;
    new Thread(this::follow, id).start();
  }

  /** Every command id it was sent, in order, repeats and all. */
  List<String> commands() {
    return List.copyOf(commands);
  }

  void moveTo(ServiceProcess other) {
    replica = other;
    hangUp();
  }

  static HttpResponse<String> post(ServiceProcess replica, String path, String body) {
    var request =
        HttpRequest.newBuilder(replica.at(path))
            .timeout(LIMIT)
            .POST(BodyPublishers.ofString(body))
            .build();
    return send(request);
  }

  static HttpResponse<String> put(ServiceProcess replica, String path, String body) {
    return send(
        HttpRequest.newBuilder(replica.at(path))
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body))
            .build());
  }

  static String get(ServiceProcess replica, String path) {
    return send(HttpRequest.newBuilder(replica.at(path)).timeout(LIMIT).build()).body();
  }

  private static HttpResponse<String> send(HttpRequest request) {
    try {
      return HTTP.send(LoggedIn.asAdmin(request), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(request.uri().toString(), e);
    }
  }

  private void follow() {
    while (!closed) {
      try {
        var request =
            HttpRequest.newBuilder(replica.at("/v1/devices/" + id + "/commands/stream")).build();
        open = HTTP.send(LoggedIn.asAdmin(request), BodyHandlers.ofInputStream()).body();
        var lines = new BufferedReader(new InputStreamReader(open, UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("id:")) {
            commands.add(line.substring("id:".length()).strip());
          }
        }
      } catch (IOException | InterruptedException e) {
        Patience.pause(100);
      }
    }
  }

  private void hangUp() {
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    hangUp();
  }
}
