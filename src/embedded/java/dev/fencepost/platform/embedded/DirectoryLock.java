package dev.fencepost.platform.embedded;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One process per data directory. The operating system drops the lock when its holder dies, so a
 * crash leaves nothing to clear away; the pid file is only there to name the holder.
 */
final class DirectoryLock implements AutoCloseable {

  private final FileChannel channel;
  private final DataDirectory directory;

  private DirectoryLock(FileChannel channel, DataDirectory directory) {
    this.channel = channel;
    this.directory = directory;
  }

  /**
   * Takes the lock or refuses at once.
   *
   * @throws StoresUnavailable naming the process that has it
   */
  static DirectoryLock take(DataDirectory directory) {
    // Closing any channel of a file drops all locks this process has on it, so the second owner in
    // one JVM must be refused before it opens the file.
    var pid = Long.toString(ProcessHandle.current().pid());
    if (System.getProperties().putIfAbsent(claim(directory), pid) != null) {
      throw inUse(directory);
    }
    try {
      return lock(directory, pid);
    } catch (IOException e) {
      System.clearProperty(claim(directory));
      throw new StoresUnavailable("cannot lock " + directory.lock() + ": " + e, e);
    } catch (StoresUnavailable e) {
      System.clearProperty(claim(directory));
      throw e;
    }
  }

  private static DirectoryLock lock(DataDirectory directory, String pid) throws IOException {
    var channel = FileChannel.open(directory.lock(), CREATE, WRITE);
    if (channel.tryLock() == null) {
      channel.close();
      throw inUse(directory);
    }
    Files.writeString(directory.owner(), pid);
    return new DirectoryLock(channel, directory);
  }

  private static StoresUnavailable inUse(DataDirectory directory) {
    return new StoresUnavailable(
        "data directory %s is in use by process %s; stop it, or set fencepost.data-dir to another"
            .formatted(directory.root(), owner(directory.owner())));
  }

  private static String owner(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "(unknown: " + e + ")";
    }
  }

  /** A property, because it is the one registry that all class loaders of a JVM share. */
  private static String claim(DataDirectory directory) {
    return "dev.fencepost.data-dir.claimed:" + directory.root();
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(directory.owner());
      channel.close();
    } catch (IOException e) {
      throw new StoresUnavailable("cannot unlock " + directory.lock() + ": " + e, e);
    } finally {
      System.clearProperty(claim(directory));
    }
  }
}
