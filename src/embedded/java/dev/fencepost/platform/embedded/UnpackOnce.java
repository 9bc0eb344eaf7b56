package dev.fencepost.platform.embedded;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * A folder of unpacked programs that is there whole or not at all. Folders of other versions are
 * removed: nothing runs from them, because the data directory has one owner.
 *
 * @param prefix what the folder names of all versions begin with
 */
record UnpackOnce(Path bin, String prefix) {

  /** Fills an empty folder. */
  interface Filling {
    void fill(Path folder) throws IOException;
  }

  Path folder(String name, Filling filling, Consumer<String> log) throws IOException {
    var folder = bin.resolve(name);
    if (!Files.isDirectory(folder)) {
      log.accept("unpacking " + name);
      for (var stale : others()) {
        delete(stale);
      }
      var part = Files.createDirectories(bin.resolve(prefix + "part"));
      filling.fill(part);
      Files.move(part, folder, ATOMIC_MOVE);
    }
    return folder;
  }

  private List<Path> others() throws IOException {
    Files.createDirectories(bin);
    try (var entries = Files.list(bin)) {
      return entries.filter(entry -> entry.getFileName().toString().startsWith(prefix)).toList();
    }
  }

  /** Removes a folder and all that is in it; it may be missing. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> deepestFirst;
    try (var entries = Files.walk(folder)) {
      deepestFirst = entries.sorted(Comparator.reverseOrder()).toList();
    }
    for (var entry : deepestFirst) {
      Files.delete(entry);
    }
  }
}
