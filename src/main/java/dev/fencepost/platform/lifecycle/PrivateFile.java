package dev.fencepost.platform.lifecycle;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A file that only its owner may read, and that is there whole or not at all. */
public final class PrivateFile {

  private PrivateFile() {}

  /** Writes it, and makes the folder it lies in if that is missing. */
  public static void write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      var part = file.resolveSibling(file.getFileName() + ".part");
      Files.deleteIfExists(part);
      Files.createFile(
          part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(part, text, US_ASCII, WRITE);
      Files.move(part, file, ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
