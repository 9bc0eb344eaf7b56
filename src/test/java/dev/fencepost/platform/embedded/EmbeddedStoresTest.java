package dev.fencepost.platform.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.RedisByHand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On real servers and, where a process has to die, on a real process. */
class EmbeddedStoresTest {

  /** Kept over runs, so that the programs are unpacked once. */
  private static final Path DIRECTORY = Path.of("target", "test-stores-restart").toAbsolutePath();

  private static final Duration SOON = Duration.ofSeconds(15);

  @BeforeAll
  static void begin_without_data_but_with_programs() throws IOException {
    for (var name : List.of("redis", "postgres", "store-password")) {
      delete(DIRECTORY.resolve(name));
    }
  }

  @Test
  void what_was_written_survives_a_restart_after_which_files_are_stale_and_cut_off()
      throws IOException, SQLException {
    try (var stores = start()) {
      RedisByHand.of(stores.settings()).send("SET", "restart", "kept");
      sql(stores, "DROP TABLE IF EXISTS restart");
      sql(stores, "CREATE TABLE restart AS SELECT 42 AS answer");
    }
    Files.writeString(postmasterPid(), ProcessHandle.current().pid() + "\n");
    Files.writeString(DIRECTORY.resolve("redis/appendonly.aof"), "*3\r\n$3\r\nSE", APPEND);
    try (var stores = start()) {
      assertThat(RedisByHand.of(stores.settings()).send("GET", "restart")).isEqualTo("kept");
      sql(stores, "INSERT INTO restart SELECT answer + 1 FROM restart");
    }
  }

  @Test
  void redis_keeps_every_write_and_evicts_nothing() {
    try (var stores = start()) {
      var redis = RedisByHand.of(stores.settings());
      assertThat(redis.send("CONFIG", "GET", "appendonly")).isEqualTo(List.of("appendonly", "yes"));
      assertThat(redis.send("CONFIG", "GET", "maxmemory-policy"))
          .isEqualTo(List.of("maxmemory-policy", "noeviction"));
    }
  }

  @Test
  void strangers_on_the_machine_need_the_password() {
    try (var stores = start()) {
      var redis = RedisByHand.of(stores.settings());
      var stranger = new RedisByHand(redis.host(), redis.port(), "guess");
      assertThatThrownBy(() -> stranger.send("PING")).hasMessageContaining("WRONGPASS");
      var url = stores.settings().get("quarkus.datasource.jdbc.url");
      assertThatThrownBy(() -> DriverManager.getConnection(url, "fencepost", "guess").close())
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("password");
    }
  }

  @Test
  void a_second_owner_in_the_same_process_is_refused_and_leaves_the_first_in_peace() {
    try (var stores = start()) {
      assertThatThrownBy(EmbeddedStoresTest::start)
          .isInstanceOf(StoresUnavailable.class)
          .hasMessageContaining("in use by process " + ProcessHandle.current().pid());
      assertThat(RedisByHand.of(stores.settings()).send("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void the_directory_of_a_living_process_is_refused_and_that_of_a_killed_one_is_taken_over()
      throws IOException {
    var owner = startInAProcess("SET killed kept");
    var servers = servers(owner);
    assertThat(servers).hasSizeGreaterThanOrEqualTo(2);
    assertThatThrownBy(EmbeddedStoresTest::start)
        .isInstanceOf(StoresUnavailable.class)
        .hasMessageContaining("in use by process " + owner.pid());

    owner.destroyForcibly();

    assertThat(end(servers)).as("servers end with their process").succeedsWithin(SOON);
    try (var stores = start()) {
      assertThat(RedisByHand.of(stores.settings()).send("GET", "killed")).isEqualTo("kept");
    }
  }

  @Test
  void servers_that_outlived_process_and_supervisors_are_stopped_by_the_next_start()
      throws IOException {
    var owner = startInAProcess("SET orphaned kept");
    var servers = servers(owner);
    // A supervisor's youngest first: it waits for the pipe that the JVM closes when the eldest
    // ends.
    owner
        .descendants()
        .filter(process -> !isServer(process))
        .sorted(Comparator.comparing(ProcessHandle::pid).reversed())
        .forEach(ProcessHandle::destroyForcibly);
    owner.destroyForcibly();
    assertThat(end(List.of(owner.toHandle()))).succeedsWithin(SOON);
    assertThat(servers).allMatch(EmbeddedStoresTest::isServer);

    try (var stores = start()) {
      assertThat(servers).noneMatch(EmbeddedStoresTest::isServer);
      assertThat(RedisByHand.of(stores.settings()).send("GET", "orphaned")).isEqualTo("kept");
    }
  }

  private static RunningStores start() {
    return EmbeddedStores.bundled().orElseThrow().start(DIRECTORY, System.out::println);
  }

  private static Process startInAProcess(String redisCommand) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                HoldStores.class.getName(),
                DIRECTORY.toString(),
                redisCommand)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    assertThat(answers.readLine()).isEqualTo("OK");
    return process;
  }

  private static List<ProcessHandle> servers(Process owner) {
    return owner.descendants().filter(EmbeddedStoresTest::isServer).toList();
  }

  /** Not so for a dead one, though it be a zombie for want of a parent that asks. */
  private static boolean isServer(ProcessHandle process) {
    return process
        .info()
        .command()
        .filter(path -> path.startsWith(DIRECTORY.toString()))
        .isPresent();
  }

  private static CompletableFuture<?> end(List<ProcessHandle> processes) {
    return CompletableFuture.allOf(
        processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new));
  }

  private static Path postmasterPid() {
    return DIRECTORY.resolve("postgres/postmaster.pid");
  }

  private static void sql(RunningStores stores, String statement) throws SQLException {
    var settings = stores.settings();
    try (var connection =
            DriverManager.getConnection(
                settings.get("quarkus.datasource.jdbc.url"),
                settings.get("quarkus.datasource.username"),
                settings.get("quarkus.datasource.password"));
        var execution = connection.createStatement()) {
      execution.execute(statement);
    }
  }

  private static void delete(Path path) throws IOException {
    if (Files.exists(path)) {
      try (var entries = Files.walk(path)) {
        for (var entry : entries.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(entry);
        }
      }
    }
  }
}
