import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A newcomer's tour: three assets are assessed, two cameras are stopped, and what came of it is shown. */
class Demo {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final Path SBOMS = Path.of("examples/sboms");

  /** What the local receiver was told. */
  private record Told(Map<String, List<String>> headers, JsonNode body) {}

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Told> told = new CopyOnWriteArrayList<>();
  private final int port = freePort();
  private final String base = "http://127.0.0.1:" + port;
  private String token = "";

  public static void main(String[] args) throws Exception {
    var keep = List.of(args).contains("--keep");
    System.exit(new Demo().run(keep) ? 0 : 1);
  }

  private boolean run(boolean keep) throws Exception {
    var receiver = startReceiver();
    var dataDir = keep ? Path.of("data") : Files.createTempDirectory("fencepost-demo");
    var service = startService(receiver, dataDir);
    try {
      awaitReady(service);
      token = logIn(dataDir);
      var passed = show(dataDir);
      if (keep) {
        say("");
        say("the service keeps running as process " + service.pid() + ": " + base);
        say("log in as admin, with the password in " + dataDir.resolve("admin-password"));
        say("its log is " + log() + "; stop it with: kill " + service.pid());
      }
      return passed;
    } finally {
      if (!keep) {
        service.destroy();
        service.waitFor();
        deleteAll(dataDir);
      }
      receiver.stop(0);
    }
  }

  private boolean show(Path dataDir) throws Exception {
    title("1. Three assets, each with a real SBOM");
    register("web-01", "tcp://127.0.0.1:" + port, "public", "web-shop_maven170_cdx1.2.json");
    register("kiosk-02", base + "/q/health/live", "internal", "dtrack-valid-bom_cdx1.6.json");
    register("cam-07", "heartbeat:", "internal", "cern-lhc-vdm-editor_npm43_cdx1.2.json");

    title("2. Assess them");
    var web = assess("web-01");
    var kiosk = assess("kiosk-02");
    var cam = assess("cam-07");
    table(List.of(web, kiosk, cam));

    title("3. Why web-01 is at high risk");
    web.at("/verdict/reasons").forEach(reason -> say("  - " + reason.asText()));
    var log4shell = finding(web, "GHSA-jfh8-c2jp-5v3q");
    say("  " + log4shell.at("/purl").asText());
    say(
        "  %s %s, CVSS %s, known exploited: %s, EPSS %s, fixed in %s"
            .formatted(
                log4shell.at("/vulnerability_id").asText(),
                log4shell.at("/aliases").toString(),
                log4shell.at("/cvss_score").asText(),
                log4shell.at("/known_exploited").asText(),
                log4shell.at("/epss").asText(),
                log4shell.at("/fixed_versions").toString()));

    title("4. Who was told");
    told.forEach(this::showNotification);

    title("5. Ask again: the finished ticket answers at once");
    var again = post("/v1/assets/web-01/assessments", "{}");
    var cached = again.headers().firstValue("X-Fencepost-Cached").orElse("missing");
    say("  HTTP %d, X-Fencepost-Cached: %s".formatted(again.statusCode(), cached));

    return checked(web, kiosk, cam, log4shell, cached) & showLive(dataDir);
  }

  private boolean checked(
      JsonNode web, JsonNode kiosk, JsonNode cam, JsonNode log4shell, String cached) {
    say("");
    return check("web-01 is FINISHED and HIGH", isAt(web, "FINISHED", "HIGH"))
        & check("log4shell is known to be exploited", exploited(log4shell))
        & check("kiosk-02 is FINISHED and LOW", isAt(kiosk, "FINISHED", "LOW"))
        & check("cam-07 is offline and says so", isAt(cam, "FINISHED", "UNKNOWN"))
        & check("exactly one notification arrived", told.size() == 1)
        & check("the repeated request was answered from the ticket", cached.equals("true"));
  }

  private boolean showLive(Path dataDir) throws Exception {
    title("6. Two cameras stream: cam-1 sends heartbeats, cam-2 does not (bin/device)");
    var obedient = camera(dataDir, "cam-1", "--slow", "2s");
    var silent = camera(dataDir, "cam-2", "--silent");
    try {
      await("cam-1 to send heartbeats", () -> lines("cam-1").anyMatch(line -> line.endsWith("heartbeat")));

      title("7. Five people stop cam-1 at once");
      var results = stopAtOnce("cam-1", 5);
      say("  answers: " + String.join(", ", results));
      await("cam-1 to end", () -> !obedient.isAlive());
      var stopped = showCamera("cam-1");
      var command = onlyCommand("cam-1");

      title("8. Nobody stopped cam-2: its silence did");
      await("cam-2 to end", () -> !silent.isAlive());
      var swept = showCamera("cam-2");
      var sweep = onlyCommand("cam-2");

      say("");
      return check("one stop was accepted", count(results, "accepted") == 1)
          & check("four were told that it is on its way", count(results, "already_stopping") == 4)
          & check("cam-1 got one command, and applied it", isApplied(command))
          & check("cam-1 was stopped by user, confirmed", isStopped(stopped, "user"))
          & check("cam-2 got one command, and applied it", isApplied(sweep))
          & check("cam-2 was stopped by its silence", isStopped(swept, "heartbeat_timeout"));
    } finally {
      obedient.destroy();
      silent.destroy();
    }
  }

  private Process camera(Path dataDir, String id, String... more) throws IOException {
    var command = new ArrayList<>(List.of("bin/device", "--url", base, "--id", id));
    command.addAll(List.of("--enroll", dataDir.resolve("admin-password").toString()));
    command.addAll(List.of("--heartbeat", "1s"));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(cameraLog(id).toFile())
        .start();
  }

  private static Path cameraLog(String id) {
    return Path.of("target", "demo-" + id + ".log");
  }

  private static Stream<String> lines(String id) throws IOException {
    return Files.readAllLines(cameraLog(id)).stream();
  }

  /** What the camera says it did, and what the service says of its session. */
  private JsonNode showCamera(String id) throws Exception {
    lines(id).filter(line -> !line.endsWith("heartbeat")).forEach(line -> say("  " + line));
    var live = JSON.readTree(send("GET", "/v1/devices/" + id + "/live", "application/json", "").body());
    say(
        "  the service: %s, stopped_by %s, confirmation %s"
            .formatted(
                live.at("/status").asText(),
                live.at("/stopped_by").asText(),
                live.at("/confirmation").asText()));
    return live;
  }

  private List<String> stopAtOnce(String id, int times) throws Exception {
    var stops = new ArrayList<CompletableFuture<String>>();
    for (var i = 0; i < times; i++) {
      var stop =
          HttpRequest.newBuilder(URI.create(base + "/v1/devices/" + id + "/live/stop"))
              .header("Authorization", "Bearer " + token)
              .POST(BodyPublishers.noBody())
              .build();
      stops.add(
          http.sendAsync(stop, BodyHandlers.ofString())
              .thenApply(answer -> answer.body().replaceFirst(".*\"result\":\"(\\w+)\".*", "$1")));
    }
    var results = new ArrayList<String>();
    for (var stop : stops) {
      results.add(stop.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
    return results;
  }

  /** The device's one command; nothing if there are none, or several. */
  private JsonNode onlyCommand(String id) throws Exception {
    var path = "/v1/devices/" + id + "/commands";
    var all = JSON.readTree(send("GET", path, "application/json", "").body()).at("/items");
    return all.size() == 1 ? all.get(0) : JSON.createObjectNode();
  }

  private static boolean isApplied(JsonNode command) {
    return command.at("/status").asText().equals("applied");
  }

  private static boolean isStopped(JsonNode live, String by) {
    return live.at("/status").asText().equals("stopped")
        && live.at("/stopped_by").asText().equals(by)
        && live.at("/confirmation").asText().equals("applied");
  }

  private static long count(List<String> results, String wanted) {
    return results.stream().filter(wanted::equals).count();
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(String what, Condition condition) throws Exception {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("waited in vain for " + what);
      }
      Thread.sleep(50);
    }
  }

  private void register(String id, String address, String exposure, String sbom) throws Exception {
    var asset = JSON.createObjectNode().put("address", address).put("exposure", exposure);
    send("PUT", "/v1/assets/" + id, "application/json", asset.toString());
    var counted =
        send(
            "PUT",
            "/v1/assets/" + id + "/inventory",
            "application/vnd.cyclonedx+json",
            Files.readString(SBOMS.resolve(sbom)));
    var receipt = JSON.readTree(counted.body());
    say(
        "  %-9s %-42s %4d components, %d skipped   (%s)"
            .formatted(
                id,
                address,
                receipt.at("/component_count").asInt(),
                receipt.at("/skipped").size(),
                sbom));
  }

  private JsonNode assess(String id) throws Exception {
    return JSON.readTree(post("/v1/assets/" + id + "/assessments", "{}").body());
  }

  private void table(List<JsonNode> tickets) {
    var line = "  %-9s %-9s %-8s %8s %11s  %s";
    say(line.formatted("asset", "status", "level", "findings", "unevaluated", "evidence"));
    for (var ticket : tickets) {
      say(
          line.formatted(
              ticket.at("/asset_id").asText(),
              ticket.at("/status").asText(),
              ticket.at("/verdict/level").asText(),
              ticket.at("/findings").size(),
              ticket.at("/unevaluated").size(),
              ticket.at("/online/evidence").asText()));
    }
    var tokens = new StringJoiner(", ");
    tickets.forEach(ticket -> tokens.add(ticket.at("/fencing_token").asText()));
    say("  every fact was written under a fencing token: " + tokens);
  }

  private void showNotification(Told told) {
    for (var name : List.of("Idempotency-Key", "X-Fencing-Token", "Webhook-Id", "Traceparent")) {
      told.headers().entrySet().stream()
          .filter(header -> header.getKey().equalsIgnoreCase(name))
          .forEach(header -> say("  %s: %s".formatted(name, header.getValue().get(0))));
    }
    say("  " + told.body().at("/type").asText() + " about " + told.body().at("/subject").asText());
  }

  private static JsonNode finding(JsonNode ticket, String id) {
    for (var finding : ticket.at("/findings")) {
      if (finding.at("/vulnerability_id").asText().equals(id)) {
        return finding;
      }
    }
    return JSON.createObjectNode();
  }

  private static boolean isAt(JsonNode ticket, String status, String level) {
    return ticket.at("/status").asText().equals(status)
        && ticket.at("/verdict/level").asText().equals(level);
  }

  private static boolean exploited(JsonNode finding) {
    return finding.at("/known_exploited").asText().equals("yes");
  }

  private HttpServer startReceiver() throws IOException {
    var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/ops", this::receive);
    receiver.start();
    return receiver;
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      told.add(new Told(exchange.getRequestHeaders(), JSON.readTree(exchange.getRequestBody())));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  private Process startService(HttpServer receiver, Path dataDir) throws IOException {
    say("starting the service on port " + port + ", data in " + dataDir);
    var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.add("-Dquarkus.http.port=" + port);
    command.add("-Dquarkus.http.host=127.0.0.1");
    command.add("-Dfencepost.data-dir=" + dataDir);
    command.add("-Dfencepost.live.heartbeat-timeout=6s");
    command.add("-Dfencepost.live.sweep-every=1s");
    command.add("-Dfencepost.notify.channels.ops.type=webhook");
    command.add(
        "-Dfencepost.notify.channels.ops.url=http://127.0.0.1:%d/ops"
            .formatted(receiver.getAddress().getPort()));
    command.addAll(List.of("-jar", "target/quarkus-app/quarkus-run.jar"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log())
        .start();
  }

  private static File log() {
    return new File("target/demo.log");
  }

  private void awaitReady(Process service) throws Exception {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end && service.isAlive()) {
      try {
        if (get("/q/health/ready").statusCode() == 200) {
          return;
        }
      } catch (IOException e) {
        // not listening yet
      }
      Thread.sleep(100);
    }
    say(Files.readString(log().toPath()));
    throw new IllegalStateException("the service did not become ready; its log is above");
  }

  /** The first start has made a password for admin; it lies beside the data. */
  private String logIn(Path dataDir) throws Exception {
    var password = Files.readString(dataDir.resolve("admin-password"));
    var request =
        HttpRequest.newBuilder(URI.create(base + "/oauth/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                BodyPublishers.ofString(
                    "grant_type=password&username=admin&password=" + password.strip()))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException("cannot log in: " + answer.body());
    }
    return JSON.readTree(answer.body()).at("/access_token").asText();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(base + path)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return send("POST", path, "application/json", body);
  }

  private HttpResponse<String> send(String method, String path, String type, String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", type)
            .header("Prefer", "wait=30")
            .header("Authorization", "Bearer " + token)
            .method(method, BodyPublishers.ofString(body, StandardCharsets.UTF_8))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() >= 400) {
      throw new IllegalStateException(method + " " + path + ": " + answer.body());
    }
    return answer;
  }

  private static boolean check(String what, boolean holds) {
    say((holds ? "  ok    " : "  FAIL  ") + what);
    return holds;
  }

  private static void title(String text) {
    say("\n" + text);
  }

  private static void say(String text) {
    System.out.println(text);
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException("no free port", e);
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(File::delete);
    }
  }
}
