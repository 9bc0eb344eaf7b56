package dev.fencepost;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.chaos.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One connection that server-sent events come over, read by a thread of its own. */
public final class EventStream implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final BlockingQueue<String> ids = new LinkedBlockingQueue<>();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final InputStream body;
  private volatile boolean ended;

  public EventStream(HttpRequest request) {
    try {
      var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
      assertThat(answer.statusCode()).isEqualTo(200);
      body = answer.body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    new Thread(this::read).start();
  }

  private void read() {
    var reader = new BufferedReader(new InputStreamReader(body, UTF_8));
    try {
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
        if (line.startsWith("id:")) {
          ids.add(line.substring("id:".length()).strip());
        }
      }
      ended = true;
    } catch (IOException e) {
      // closed by the test
    }
  }

  /** All that came so far. */
  public List<String> lines() {
    return lines;
  }

  /** The id of the next event; the text "null" if none comes. */
  public String next() {
    try {
      return String.valueOf(ids.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public boolean hasEnded() {
    return ended;
  }

  public void awaitLine() {
    Patience.until("something is sent", PATIENCE, () -> !lines.isEmpty());
  }

  public void awaitEnd() {
    Patience.until("the stream ends", PATIENCE, this::hasEnded);
  }

  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
