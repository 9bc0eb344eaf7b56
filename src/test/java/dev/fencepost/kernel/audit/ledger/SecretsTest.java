package dev.fencepost.kernel.audit.ledger;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.anyOf;
import static org.hamcrest.Matchers.equalTo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fencepost.chaos.Patience;
import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.ContentType;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever clients put into their requests, no store, no file and no log line has the secret. */
@QuarkusTest
@TestProfile(SecretsTest.WithARobot.class)
class SecretsTest {

  private static final String PASSWORD = "hunter2-" + UUID.randomUUID();
  private static final String BEARER = "Ab9" + UUID.randomUUID();
  private static final String CARD = "4000 0566 5566 5556";

  /** Routes that only tests have. */
  private static final String OF_A_TEST = "/v1/held/";

  private static final String LOG4J = "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1";
  private static final String IDENTITY = "44030719870623415X";

  /** As chat robots have it in their URLs; the same in every class loader. */
  private static final String ROBOT_KEY = "693a91f6-7a0c-4bc4-97a0-0ec2a1fa5aaa";

  private static final String TEXT =
      "password=%s, Authorization: Bearer %s, card %s, id %s"
          .formatted(PASSWORD, BEARER, CARD, IDENTITY);

  /** A channel whose URL is a credential, and whose receiver quotes it. */
  public static final class WithARobot implements QuarkusTestProfile {

    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(Robot.class));
    }
  }

  /** It takes nothing, and says so as WeCom does: with the URL that it was asked under. */
  public static final class Robot implements QuarkusTestResourceLifecycleManager {

    private @Nullable HttpServer server;

    @Override
    public Map<String, String> start() {
      try {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/cgi-bin/webhook/send", Robot::refuse);
        server.start();
        return Map.of(
            "fencepost.notify.channels.robot.type",
            "wecom",
            "fencepost.notify.channels.robot.url",
            "http://127.0.0.1:%d/cgi-bin/webhook/send?key=%s"
                .formatted(server.getAddress().getPort(), ROBOT_KEY));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void refuse(HttpExchange exchange) throws IOException {
      try (exchange) {
        var answer =
            "{\"errcode\": 93000, \"errmsg\": \"invalid webhook url %s\"}"
                .formatted(exchange.getRequestURI());
        exchange.sendResponseHeaders(200, answer.length());
        exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
      }
    }

    @Override
    public void stop() {
      if (server != null) {
        server.stop(0);
      }
    }
  }

  @TestHTTPResource("/")
  URI here;

  @Inject ProjectByHand projection;
  @Inject AuditTrail trail;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;
  @Inject DataSource database;

  @ConfigProperty(name = "fencepost.data-dir")
  String dataDir;

  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final Set<String> spoken = new TreeSet<>();
  private final String name = "secrets-" + UUID.randomUUID();

  @Test
  void no_secret_of_a_request_is_kept_anywhere() throws SQLException, IOException {
    var log = new Listening();
    Logger.getLogger("").addHandler(log);
    Logger.getLogger(SecretsTest.class.getName()).warning("somebody speaks");
    try {
      speakOfSecrets();
      tellTheRobot();
      assertThat(routes()).as("routes that nobody told a secret").isEmpty();
      for (var lane : lanes.allFrom(0)) {
        projection.project(lane);
      }
      var found = new ArrayList<String>();
      inRedis(found);
      inPostgres(found);
      inFiles(found);
      logged.stream().filter(SecretsTest::isSecret).forEach(line -> found.add("log: " + line));
      assertThat(found).isEmpty();
      assertThat(logged).as("somebody listens to the log").isNotEmpty();
    } finally {
      Logger.getLogger("").removeHandler(log);
    }
  }

  private void speakOfSecrets() {
    post("/v1/devices/" + name + "/live", "{\"session_id\": \"s\"}");
    post("/v1/devices/" + name + "/live", Map.of("session_id", TEXT));
    post("/v1/devices/" + name + "/live/stop", Map.of("reason", TEXT));
    var command =
        given()
            .get("/v1/devices/" + name + "/commands")
            .jsonPath()
            .getString("items[0].command_id");
    post("/v1/devices/" + name + "/live/heartbeat", Map.of("session_id", TEXT));
    post("/v1/commands/" + command + "/ack", Map.of("success", true, "detail", TEXT));
    post("/v1/commands/" + command + "/applied", Map.of("success", true, "detail", TEXT));
    put(
            "/v1/assets/" + name,
            Map.of(
                "address",
                "heartbeat:",
                "display_name",
                TEXT,
                "labels",
                Map.of("password", PASSWORD, "note", TEXT)))
        .then()
        .statusCode(201);
    for (var address :
        List.of("https://u:" + PASSWORD + "@a.example", "https://a.example/?token=" + PASSWORD)) {
      put("/v1/assets/" + name, Map.of("address", address)).then().statusCode(400);
    }
    put("/v1/assets/" + name + "/inventory", Map.of("components", List.of(), "token", BEARER));
    put("/v1/assets/" + name + "/inventory", Map.of("components", List.of()));
    post("/v1/assets/" + name + "/assessments", Map.of("force", true, "password", PASSWORD));
    post("/v1/assets/" + name + "/assessments", "{\"force\": \"" + TEXT + "\"}");
    post("/v1/assets/" + name + "/assessments", "{\"force\": " + BEARER + "}");
    var ticket =
        given()
            .contentType(ContentType.JSON)
            .header("Prefer", "wait=30")
            .header("Idempotency-Key", "t-" + name)
            .body(Map.of("force", true))
            .post("/v1/assets/" + name + "/assessments")
            .then()
            .statusCode(200)
            .extract()
            .<String>path("ticket_id");
    post("/v1/tickets/" + ticket + "/corrections", Map.of("status", "FAILED", "reason", TEXT))
        .then()
        .statusCode(200);
    post("/v1/tickets/" + ticket + "/corrections", Map.of("status", TEXT, "reason", "none"));
    post(
        "/v1/tickets/" + ticket + "/notifications/ops/settle",
        Map.of("state", "FAILED", "reason", TEXT));
    post("/v1/tickets/" + ticket + "/retry", Map.of("reason", TEXT));
    post(
        "/v1/users",
        Map.of(
            "user_id",
            name,
            "password",
            PASSWORD,
            "kind",
            "device",
            "permissions",
            List.of("device:self")));
    post(
        "/v1/users",
        Map.of(
            "user_id",
            name + "2",
            "password",
            PASSWORD,
            "kind",
            TEXT,
            "permissions",
            List.of(TEXT)));
    put("/v1/users/" + name + "/permissions", Map.of("permissions", List.of(TEXT)));
    put("/v1/users/" + name + "/password", Map.of("password", PASSWORD + "!"));
    logIn(name, PASSWORD);
    logIn(name, PASSWORD + "!");
    logIn(TEXT, "x");
    send("/oauth/revoke", Map.of("token", BEARER, "client_id", name, "client_secret", PASSWORD));
    send("/oauth/introspect", Map.of("token", BEARER));
    post("/v1/users/" + name + "/logout", Map.of("reason", TEXT));
    given().header("Authorization", "Bearer " + BEARER).get("/v1/assets");
    put("/v1/assets/" + name + "-gone", Map.of("address", "heartbeat:"));
    given()
        .header("User-Agent", TEXT)
        .delete("/v1/assets/" + name + "-gone")
        .then()
        .statusCode(204);
    trail.append(
        new AuditEvent(
            "LOGIN_FAILED",
            "refused",
            "user",
            name,
            Origin.ofService(Trace.fresh(new byte[24])),
            Map.of("why", TEXT, "client_secret", PASSWORD)));
    given().get("/v1/assets/" + name).then().statusCode(200);
  }

  /** High risk, so the robot is told, and quotes its key. */
  private void tellTheRobot() {
    var asset = name + "-high";
    put("/v1/assets/" + asset, Map.of("address", "tcp://127.0.0.1:" + here.getPort()));
    put("/v1/assets/" + asset + "/inventory", Map.of("components", List.of(Map.of("purl", LOG4J))));
    var ticket =
        given()
            .post("/v1/assets/" + asset + "/assessments")
            .then()
            .statusCode(anyOf(equalTo(200), equalTo(202)))
            .extract()
            .<String>path("ticket_id");
    Patience.until(
        "the robot has refused",
        Duration.ofSeconds(30),
        () -> given().get("/v1/tickets/" + ticket).asString().contains("code 93000"));
  }

  /** What takes a body and was not spoken to. */
  private List<String> routes() {
    var paths =
        given().get("/q/openapi?format=json").jsonPath().<String, Map<String, ?>>getMap("paths");
    return paths.entrySet().stream()
        .filter(path -> !path.getKey().startsWith(OF_A_TEST))
        .flatMap(
            path ->
                Stream.of("post", "put")
                    .filter(path.getValue()::containsKey)
                    .map(method -> method + " " + path.getKey()))
        .filter(
            route -> {
              var form = Pattern.compile(route.replaceAll("\\{[a-z_]+}", "[^/]+"));
              return spoken.stream().noneMatch(said -> form.matcher(said).matches());
            })
        .toList();
  }

  private void send(String path, Map<String, String> form) {
    spoken.add("post " + path);
    given().formParams(form).post(path);
  }

  private io.restassured.response.Response post(String path, Object body) {
    spoken.add("post " + path);
    return given()
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", "k-" + UUID.randomUUID())
        .body(body)
        .post(path);
  }

  private io.restassured.response.Response put(String path, Object body) {
    spoken.add("put " + path);
    return given().contentType(ContentType.JSON).body(body).put(path);
  }

  private void logIn(String user, String password) {
    send("/oauth/token", Map.of("grant_type", "password", "username", user, "password", password));
  }

  private void inRedis(List<String> found) {
    for (var key : send(Command.KEYS, "*")) {
      var id = key.toString();
      var content =
          switch (send(Command.TYPE, id).toString()) {
            case "hash" -> send(Command.HGETALL, id).toString();
            case "string" -> send(Command.GET, id).toString();
            case "list" -> send(Command.LRANGE, id, "0", "-1").toString();
            case "set" -> send(Command.SMEMBERS, id).toString();
            case "zset" -> send(Command.ZRANGE, id, "0", "-1").toString();
            case "stream" -> send(Command.XRANGE, id, "-", "+").toString();
            default -> "";
          };
      if (isSecret(id + content)) {
        found.add("redis " + id + ": " + content);
      }
    }
  }

  private void inPostgres(List<String> found) throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      var tables = new ArrayList<String>();
      try (var rows =
          statement.executeQuery(
              "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")) {
        while (rows.next()) {
          tables.add(rows.getString(1));
        }
      }
      assertThat(tables).contains("audit_event", "live_view", "command_view", "ticket_view");
      for (var table : tables) {
        try (var rows = statement.executeQuery("SELECT t::text FROM \"" + table + "\" t")) {
          while (rows.next()) {
            if (isSecret(rows.getString(1))) {
              found.add("table " + table + ": " + rows.getString(1));
            }
          }
        }
      }
    }
  }

  private void inFiles(List<String> found) throws IOException {
    try (var files = Files.walk(Path.of(dataDir))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        if (isSecret(Files.readString(file, StandardCharsets.ISO_8859_1))) {
          found.add("file " + file);
        }
      }
    }
  }

  private static boolean isSecret(String text) {
    return text.contains(PASSWORD)
        || text.contains(ROBOT_KEY)
        || text.contains(BEARER)
        || text.contains(CARD)
        || text.contains(IDENTITY);
  }

  private Response send(Command command, String... args) {
    var request = Request.cmd(command);
    for (var arg : args) {
      request.arg(arg);
    }
    return redis.send(request).await().atMost(Duration.ofSeconds(10));
  }

  /** Keeps what is logged. */
  private final class Listening extends Handler {

    Listening() {
      setLevel(Level.ALL);
    }

    @Override
    public void publish(LogRecord line) {
      logged.add(
          line.getMessage() + Arrays.toString(line.getParameters()) + " " + line.getThrown());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
