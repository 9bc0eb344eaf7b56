package dev.fencepost.kernel.audit.ledger;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** Whatever clients put into their requests, no store, no file and no log line has the secret. */
@QuarkusTest
class SecretsTest {

  private static final String PASSWORD = "hunter2-" + UUID.randomUUID();
  private static final String BEARER = "Ab9" + UUID.randomUUID();
  private static final String CARD = "4000 0566 5566 5556";
  private static final String IDENTITY = "44030719870623415X";
  private static final String TEXT =
      "password=%s, Authorization: Bearer %s, card %s, id %s"
          .formatted(PASSWORD, BEARER, CARD, IDENTITY);

  @Inject ProjectByHand projection;
  @Inject AuditTrail trail;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;
  @Inject DataSource database;

  @ConfigProperty(name = "fencepost.data-dir")
  String dataDir;

  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final String name = "secrets-" + UUID.randomUUID();

  @Test
  void no_secret_of_a_request_is_kept_anywhere() throws SQLException, IOException {
    var log = new Listening();
    Logger.getLogger("").addHandler(log);
    Logger.getLogger(SecretsTest.class.getName()).warning("somebody speaks");
    try {
      speakOfSecrets();
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
    post("/v1/commands/" + command + "/applied", Map.of("success", true, "detail", TEXT));
    put(
        "/v1/assets/" + name,
        Map.of(
            "address",
            "heartbeat:",
            "display_name",
            TEXT,
            "labels",
            Map.of("password", PASSWORD, "note", TEXT)));
    put("/v1/assets/" + name, Map.of("address", "https://u:" + PASSWORD + "@example.org"));
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
            .jsonPath()
            .getString("ticket_id");
    post("/v1/tickets/" + ticket + "/corrections", Map.of("status", "FAILED", "reason", TEXT));
    post("/v1/tickets/" + ticket + "/corrections", Map.of("status", TEXT, "reason", "none"));
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
    put("/v1/users/" + name + "/password", Map.of("password", PASSWORD + "!"));
    logIn(name, PASSWORD);
    logIn(name, PASSWORD + "!");
    logIn(TEXT, "x");
    given().header("Authorization", "Bearer " + BEARER).get("/v1/assets");
    given().header("User-Agent", TEXT).delete("/v1/assets/" + name);
    trail.append(
        new AuditEvent(
            "LOGIN_FAILED",
            "refused",
            "user",
            name,
            Origin.ofService(Trace.fresh(new byte[24])),
            Map.of("why", TEXT, "client_secret", PASSWORD)));
    given().get("/v1/assets/" + name).then().statusCode(404);
  }

  private void post(String path, Object body) {
    given()
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", "k-" + UUID.randomUUID())
        .body(body)
        .post(path);
  }

  private static void put(String path, Object body) {
    given().contentType(ContentType.JSON).body(body).put(path);
  }

  private static void logIn(String user, String password) {
    given()
        .formParam("grant_type", "password")
        .formParam("username", user)
        .formParam("password", password)
        .post("/oauth/token");
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
