package dev.fencepost.assessment.advisory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A folder, with all folders below it, of {@code *.json} records and of {@code *.zip}s of records;
 * or one such file. Links are followed, because mounted volumes are links.
 */
record FolderOfRecords(Path path) implements RecordFiles {

  /** Deep enough for any real layout; ends a circle of links. */
  private static final int MAX_DEPTH = 16;

  static boolean isRecord(String name) {
    return name.endsWith(".json");
  }

  private static boolean isZip(String name) {
    return name.endsWith(".zip");
  }

  @Override
  public String fingerprint() throws IOException {
    var digest = sha256();
    files()
        .forEach(
            (file, attributes) ->
                digest.update(
                    (file + "\0" + attributes.size() + "\0" + attributes.lastModifiedTime() + "\n")
                        .getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public void readEach(Reader reader) throws IOException {
    var files = files().keySet();
    for (var file : files) {
      if (isZip(file.toString())) {
        open(file).close(); // a half-copied zip shows before minutes of reading
      }
    }
    for (var file : files) {
      if (isZip(file.toString())) {
        readZip(file, reader);
      } else {
        reader.read(file.getFileName().toString(), () -> Files.newInputStream(file));
      }
    }
  }

  /** Random access, because a stream would have to inflate an entry to get past it. */
  private void readZip(Path file, Reader reader) throws IOException {
    try (var zip = open(file)) {
      for (var entries = zip.entries(); entries.hasMoreElements(); ) {
        var entry = entries.nextElement();
        if (isRecord(entry.getName())) {
          reader.read(file.getFileName() + "!" + entry.getName(), () -> zip.getInputStream(entry));
        }
      }
    }
  }

  private static ZipFile open(Path file) throws IOException {
    try {
      return new ZipFile(file.toFile());
    } catch (ZipException e) {
      throw new IOException(file.getFileName() + " is no whole zip: " + e.getMessage(), e);
    }
  }

  private SortedMap<Path, BasicFileAttributes> files() throws IOException {
    var files = new TreeMap<Path, BasicFileAttributes>();
    Files.walkFileTree(
        path,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        MAX_DEPTH,
        new SimpleFileVisitor<>() {
          /** Hidden folders hold what tools keep for themselves: {@code .git}, {@code ..data}. */
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return !folder.equals(path) && folder.getFileName().toString().startsWith(".")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()
                && (isRecord(file.toString()) || isZip(file.toString()))) {
              files.put(file, attributes);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
