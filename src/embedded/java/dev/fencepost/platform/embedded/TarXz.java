package dev.fencepost.platform.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** Reads a {@code .txz}: files, folders and links, with the owner's right to execute. */
final class TarXz {

  private static final int OWNER_MAY_EXECUTE = 0100;

  private TarXz() {}

  static void extract(InputStream packed, Path into) throws IOException {
    try (var tar = new TarArchiveInputStream(new XZInputStream(packed))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        write(tar, entry, inside(into, entry.getName()), into);
      }
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path to, Path root)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(to);
      return;
    }
    Files.createDirectories(to.resolveSibling("."));
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(to, Path.of(entry.getLinkName()));
    } else if (entry.isLink()) {
      Files.createLink(to, inside(root, entry.getLinkName()));
    } else {
      Files.copy(tar, to);
      var executable = (entry.getMode() & OWNER_MAY_EXECUTE) != 0;
      Files.setPosixFilePermissions(
          to, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  private static Path inside(Path root, String name) throws IOException {
    var path = root.resolve(name).normalize();
    if (!path.startsWith(root)) {
      throw new IOException("the archive names a file outside of it: " + name);
    }
    return path;
  }
}
