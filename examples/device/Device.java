import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A reference device: one live session, from its start to its stop. It shows what docs/live.md asks
 * of a device, and, if told so, what it forbids. Everything it does is done by one thread.
 */
class Device {

  /** How many commands it remembers, to drop repeats by their id. */
  private static final int MEMORY = 1000;

  private static final int TIMES_IF_REPEATING = 3;
  private static final long RETRY_MS = 1_000;
  private static final long LOOK_MS = 1_000;

  /** What it says became of a command: kept, because a repeat is answered with the same. */
  private record Outcome(boolean success, String detail) {
    String word() {
      return success ? "applied " : "failed ";
    }
  }

  private final Options options;
  private final Service service;
  private final Road road;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private String session = "";
  private boolean streaming;
  private boolean watching;

  Device(Options options) {
    this.options = options;
    this.service = new Service(options);
    this.road =
        options.mqtt.isEmpty()
            ? new HttpRoad(service, options.id, this::say)
            : new MqttRoad(options, this::say);
  }

  public static void main(String[] args) throws Exception {
    if (List.of(args).contains("--help")) {
      System.out.println(Options.USAGE);
      return;
    }
    try {
      new Device(Options.parse(args)).run();
      System.exit(0);
    } catch (IllegalArgumentException e) {
      System.err.println("device: " + e.getMessage() + "\n\n" + Options.USAGE);
      System.exit(2);
    } catch (IOException | Service.Refused e) {
      System.err.println("device: " + e.getMessage());
      System.exit(1);
    }
  }

  private void run() throws Exception {
    if (!options.enroll.isEmpty()) {
      service.enroll();
      say("is enrolled as user " + options.user);
    }
    start();
    road.follow(command -> thread.execute(() -> hear(command)));
    if (!options.is(Options.Quirk.SILENT)) {
      thread.scheduleWithFixedDelay(
          this::heartbeat, 0, options.heartbeat.toMillis(), TimeUnit.MILLISECONDS);
    }
    end.await();
    road.close();
    thread.shutdownNow();
  }

  private void start() throws IOException {
    var wanted = Service.JSON.createObjectNode();
    if (!options.session.isEmpty()) {
      wanted.put("session_id", options.session);
    }
    var answer = Service.check(service.post("/v1/devices/" + options.id + "/live", wanted));
    session = Service.JSON.readTree(answer.body()).at("/session_id").asText();
    options.session = "";
    streaming = true;
    watching = false;
    say("streams, session " + session);
  }

  private void heartbeat() {
    if (!streaming) {
      return;
    }
    try {
      if (road.heartbeat(session)) {
        say("heartbeat");
      } else {
        say("heartbeat: 410, session " + session + " is over");
        stopStreaming();
        watch();
      }
    } catch (IOException e) {
      say("heartbeat failed: " + e.getMessage());
    } catch (Service.Refused e) {
      say("heartbeat refused: " + e.getMessage());
    }
  }

  private void hear(JsonNode command) {
    var id = command.at("/command_id").asText();
    if (options.is(Options.Quirk.DEAF)) {
      say("hears " + id + ", and says nothing");
      watch();
      return;
    }
    var known = outcomes.get(id);
    if (known != null) {
      say("drops a repeat of " + id + ", and reports its outcome again");
      report(known.word() + id, () -> road.applied(id, known.success, known.detail));
      return;
    }
    if (outcomes.containsKey(id)) {
      say("drops a repeat of " + id + ": it is being carried out");
      return;
    }
    say("command %s %s of %s".formatted(command.at("/type").asText(), id, command.at("/session_id").asText()));
    remember(id, null);
    report("acked " + id, () -> road.acked(id));
    later(options.slow.toMillis(), () -> carryOut(id, command.at("/session_id").asText()));
  }

  private void carryOut(String id, String of) {
    var outcome = outcome(of);
    remember(id, outcome);
    say("carried out %s: %s".formatted(id, outcome.detail));
    report(outcome.word() + id, () -> road.applied(id, outcome.success, outcome.detail));
    watch();
  }

  private Outcome outcome(String of) {
    if (options.is(Options.Quirk.REFUSE)) {
      return new Outcome(false, "the encoder does not obey");
    }
    if (!of.equals(session)) {
      return new Outcome(true, "that session was over already");
    }
    stopStreaming();
    return new Outcome(true, "the stream is stopped");
  }

  private void stopStreaming() {
    if (streaming) {
      streaming = false;
      say("stops streaming");
    }
  }

  private void remember(String id, Outcome outcome) {
    outcomes.put(id, outcome);
    if (outcomes.size() > MEMORY) {
      outcomes.remove(outcomes.keySet().iterator().next());
    }
  }

  /** Something to be told to the service. */
  private interface Telling {
    void tell() throws IOException;
  }

  /** Tells it until it is heard; tells it again and again if it repeats itself. */
  private void report(String what, Telling telling) {
    try {
      for (var i = 0; i < (options.is(Options.Quirk.REPEAT) ? TIMES_IF_REPEATING : 1); i++) {
        telling.tell();
        say("reported " + what);
      }
    } catch (IOException e) {
      say("could not report " + what + " (" + e.getMessage() + "), will do so again");
      later(RETRY_MS / 2 + ThreadLocalRandom.current().nextLong(RETRY_MS), () -> report(what, telling));
    } catch (Service.Refused e) {
      say("may not report " + what + ": " + e.getMessage());
    }
  }

  /** Asks from now on whether the service, too, holds the session to be over. */
  private void watch() {
    if (!watching) {
      watching = true;
      later(0, this::look);
    }
  }

  private void look() {
    try {
      var live = service.get("/v1/devices/" + options.id + "/live");
      if (!live.at("/session_id").asText().equals(session)) {
        over("another session took its place");
      } else if (live.at("/status").asText().equals("stopped")) {
        over("stopped by %s, %s".formatted(live.at("/stopped_by").asText(), live.at("/confirmation").asText()));
      } else {
        later(LOOK_MS, this::look);
      }
    } catch (IOException | Service.Refused e) {
      later(LOOK_MS, this::look);
    }
  }

  private void over(String how) throws IOException {
    say("session %s is over: %s".formatted(session, how));
    if (options.restart) {
      start();
    } else {
      end.countDown();
    }
  }

  private void later(long millis, Runnable work) {
    thread.schedule(work, millis, TimeUnit.MILLISECONDS);
  }

  private void say(String text) {
    System.out.println(
        LocalTime.now().truncatedTo(ChronoUnit.MILLIS) + " " + options.id + "  " + text);
  }
}
