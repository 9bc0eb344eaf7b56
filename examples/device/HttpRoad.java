import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** Server-sent events for commands, requests for everything else. */
class HttpRoad implements Road {

  private static final int GONE = 410;
  private static final long FIRST_PAUSE_MS = 250;
  private static final long LONGEST_PAUSE_MS = 10_000;

  /** The service comments every 15 s; a stream that is silent for three of these is dead. */
  private static final Duration DEAD_AFTER = Duration.ofSeconds(45);

  private final Service service;
  private final String device;
  private final Consumer<String> say;
  private final Timer watchdog = new Timer("watchdog", true);
  private volatile InputStream open;
  private volatile long lastLine;
  private volatile boolean closed;
  private volatile String lastEventId = "";

  HttpRoad(Service service, String device, Consumer<String> say) {
    this.service = service;
    this.device = device;
    this.say = say;
  }

  @Override
  public void follow(Consumer<JsonNode> commands) {
    var reader = new Thread(() -> read(commands), "stream");
    reader.setDaemon(true);
    reader.start();
    watchdog.schedule(
        new TimerTask() {
          @Override
          public void run() {
            if (System.nanoTime() - lastLine > DEAD_AFTER.toNanos()) {
              hangUp();
            }
          }
        },
        DEAD_AFTER.toMillis(),
        1_000);
  }

  private void read(Consumer<JsonNode> commands) {
    var pause = FIRST_PAUSE_MS;
    while (!closed) {
      try {
        lastLine = System.nanoTime();
        open = service.open("/v1/devices/" + device + "/commands/stream", lastEventId);
        say.accept("follows its commands" + (lastEventId.isEmpty() ? "" : " after " + lastEventId));
        pause = FIRST_PAUSE_MS;
        events(new BufferedReader(new InputStreamReader(open, UTF_8)), commands);
      } catch (IOException | RuntimeException e) {
        if (!closed) {
          say.accept("has no stream: " + e.getMessage());
        }
      }
      pause = closed ? pause : rest(pause);
    }
  }

  private void events(BufferedReader lines, Consumer<JsonNode> commands) throws IOException {
    var id = "";
    var data = new StringBuilder();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      lastLine = System.nanoTime();
      if (line.startsWith("id:")) {
        id = line.substring(3).strip();
      } else if (line.startsWith("data:")) {
        data.append(line.substring(5).strip());
      } else if (line.isEmpty() && data.length() > 0) {
        commands.accept(Service.JSON.readTree(data.toString()));
        lastEventId = id;
        data.setLength(0);
      }
    }
    if (!closed) {
      say.accept("lost its stream");
    }
  }

  /** Waits for a while that no other device waits for, so that they do not all come at once. */
  private static long rest(long pause) {
    try {
      Thread.sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Math.min(2 * pause, LONGEST_PAUSE_MS);
  }

  @Override
  public boolean heartbeat(String sessionId) throws IOException {
    var body = Service.JSON.createObjectNode().put("session_id", sessionId);
    var answer = service.post("/v1/devices/" + device + "/live/heartbeat", body);
    if (answer.statusCode() == GONE) {
      return false;
    }
    Service.check(answer);
    return true;
  }

  @Override
  public void acked(String commandId) throws IOException {
    Service.check(service.post("/v1/commands/" + commandId + "/ack", null));
  }

  @Override
  public void applied(String commandId, boolean success, String detail) throws IOException {
    var body = Service.JSON.createObjectNode().put("success", success).put("detail", detail);
    Service.check(service.post("/v1/commands/" + commandId + "/applied", body));
  }

  private void hangUp() {
    var stream = open;
    if (stream != null) {
      try {
        stream.close();
      } catch (IOException e) {
        say.accept("could not close its stream: " + e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    watchdog.cancel();
    hangUp();
  }
}
