package dev.fencepost.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The stores whose programs are on the class path. They keep their data in one directory. */
public final class BundledStores implements EmbeddedStores {

  @Override
  public RunningStores start(Path dataDir, Consumer<String> log) {
    if (System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows")) {
      throw new StoresUnavailable("embedded stores need Linux or macOS; name outside stores");
    }
    var directory = made(dataDir);
    var lock = DirectoryLock.take(directory);
    try {
      return started(directory, lock, log);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static DataDirectory made(Path dataDir) {
    try {
      return new DataDirectory(Files.createDirectories(dataDir).toRealPath());
    } catch (IOException e) {
      throw new StoresUnavailable("cannot use data directory " + dataDir + ": " + e, e);
    }
  }

  private static RunningStores started(
      DataDirectory directory, DirectoryLock lock, Consumer<String> log) {
    Leftovers.stop(directory.programs(), log);
    // Programs are written before the first one runs: a child forked meanwhile would hold a file
    // open for writing, and that file could not be run ("text file busy").
    var redis = new RedisStore(directory, Programs.redis(directory.programs(), log));
    var postgres = new PostgresStore(directory, Programs.postgres(directory.programs(), log));
    var password = StorePassword.of(directory);
    var servers =
        StartTogether.all(List.of(() -> redis.start(password), () -> postgres.start(password)));
    servers.forEach(server -> log.accept(server.about()));
    return new RunningPair(servers, lock);
  }
}
