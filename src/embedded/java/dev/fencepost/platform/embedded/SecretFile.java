package dev.fencepost.platform.embedded;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A file that only its owner may read, and that is there whole or not at all. */
final class SecretFile {

  private SecretFile() {}

  static void write(Path file, String text) throws IOException {
    var part = file.resolveSibling(file.getFileName() + ".part");
    Files.deleteIfExists(part);
    Files.createFile(
        part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(part, text, WRITE);
    Files.move(part, file, ATOMIC_MOVE);
  }
}
