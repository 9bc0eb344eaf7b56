package dev.fencepost.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * PostgreSQL with one database and one user, both called {@code fencepost}, reachable with a
 * password over loopback only. It syncs to disk as usual.
 *
 * @param programs the folder with {@code bin/postgres}
 */
record PostgresStore(DataDirectory directory, Path programs) {

  private static final String NAME = "fencepost";

  private static final String ACCESS = "host all all 127.0.0.1/32 scram-sha-256\n";

  /** The line of {@code postmaster.pid} that says how far the server has come, counted from 0. */
  private static final int STATUS_LINE = 7;

  /**
   * Small, because one process uses it. No sockets: they would be one more thing to go stale. No
   * parallel queries: their shared memory does not fit into the 64 MB that a container has.
   */
  private static final List<String> SETTINGS =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "shared_buffers=32MB",
          "max_parallel_workers_per_gather=0",
          "log_checkpoints=off");

  RunningServer start(String password) {
    var version = Command.run(log(), "", List.of(program("postgres"), "--version")).strip();
    var user = OrdinaryUser.forPostgres(programs.resolve("bin/postgres"), directory.root());
    initialiseOnce(user, password);
    removeStalePid();
    user.own(directory.postgres());
    var started = new StartAttempts("PostgreSQL", port -> launch(user, port), this::isReady).run();
    var database = "postgresql://127.0.0.1:%d/%s".formatted(started.port(), NAME);
    return new RunningServer(
        started.process(),
        Map.of(
            "quarkus.datasource.jdbc.url", "jdbc:" + database,
            "quarkus.datasource.reactive.url", database,
            "quarkus.datasource.username", NAME,
            "quarkus.datasource.password", password),
        "embedded postgresql %s on 127.0.0.1:%d, data in %s"
            .formatted(version.replaceAll("(?s).*\\s", ""), started.port(), directory.postgres()));
  }

  private Supervised launch(OrdinaryUser user, int port) {
    var command = new ArrayList<>(user.run(program("postgres")));
    command.addAll(List.of("-D", directory.postgres().toString(), "-c", "port=" + port));
    SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
    // SIGINT: stop now, whoever is connected.
    return Supervised.start("INT", log(), command);
  }

  /** The server removes this file at its end and writes it again at its start. */
  private boolean isReady(int port) {
    try {
      var lines = Files.readAllLines(pidFile());
      return lines.size() > STATUS_LINE && lines.get(STATUS_LINE).startsWith("ready");
    } catch (IOException e) {
      return false;
    }
  }

  /** In a container pids repeat, and PostgreSQL would take a stranger for its predecessor. */
  private void removeStalePid() {
    try {
      Files.deleteIfExists(pidFile());
    } catch (IOException e) {
      throw new StoresUnavailable("cannot remove " + pidFile() + ": " + e, e);
    }
  }

  /** The data appears under its name when it is complete, so a crash here begins again. */
  private void initialiseOnce(OrdinaryUser user, String password) {
    if (Files.exists(directory.postgres())) {
      return;
    }
    var part = directory.root().resolve("postgres.part");
    try {
      UnpackOnce.delete(part);
      Files.createDirectory(part);
      user.own(part);
      initialise(user, part, password);
      Files.move(part, directory.postgres());
    } catch (IOException e) {
      throw new StoresUnavailable("cannot initialise " + directory.postgres() + ": " + e, e);
    }
  }

  private void initialise(OrdinaryUser user, Path data, String password) throws IOException {
    Command.run(
        log(),
        "",
        user.run(
            program("initdb"),
            "--pgdata=" + data,
            "--username=" + NAME,
            "--encoding=UTF8",
            "--no-locale",
            "--auth=trust"));
    Files.writeString(data.resolve("pg_hba.conf"), ACCESS);
    // In single-user mode a line is a statement. The password goes through a pipe, not the command.
    Command.run(
        log(),
        "ALTER ROLE %1$s PASSWORD '%2$s';\nCREATE DATABASE %1$s;\n".formatted(NAME, password),
        user.run(program("postgres"), "--single", "-D", data.toString(), "postgres"));
  }

  private Path pidFile() {
    return directory.postgres().resolve("postmaster.pid");
  }

  private Path log() {
    return directory.log("postgres");
  }

  private String program(String name) {
    return programs.resolve("bin").resolve(name).toString();
  }
}
