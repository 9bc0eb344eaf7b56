package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.kernel.audit.RecordedEvent;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * A month on its way into a file, an event a line, gz: there whole and on the disk, or not at all.
 * Blocks.
 */
final class ArchiveFile {

  private static final String PART = ".part";
  private static final int BUFFER = 64 * 1024;

  private final Path target;
  private final Path part;
  private final FileOutputStream file;
  private final GZIPOutputStream lines;
  private final ObjectMapper json;
  private long events;

  private ArchiveFile(Path target, ObjectMapper json) throws IOException {
    this.target = target;
    this.part = target.resolveSibling(target.getFileName() + PART);
    this.json = json;
    this.file = new FileOutputStream(part.toFile());
    this.lines = new GZIPOutputStream(file, BUFFER);
  }

  /**
   * Begins a file, and takes away what earlier holders left behind that died over the same month.
   *
   * @param token the holder's, which is in the name: two holders never write one file
   * @param known files that the ledger has recorded
   */
  static ArchiveFile create(
      Path folder, Partition month, long token, Set<String> known, ObjectMapper json) {
    try {
      Files.createDirectories(folder);
      sweep(folder, month, token, known);
      return new ArchiveFile(folder.resolve(prefix(month) + token + ".ndjson.gz"), json);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write into " + folder, e);
    }
  }

  private static String prefix(Partition month) {
    return "audit-%tY-%<tm-".formatted(month.month());
  }

  private static void sweep(Path folder, Partition month, long token, Set<String> known)
      throws IOException {
    var ours =
        Pattern.compile(Pattern.quote(prefix(month)) + "(\\d{1,18})\\.ndjson\\.gz(\\.part)?");
    try (var files = Files.list(folder)) {
      for (var left : files.toList()) {
        var name = left.getFileName().toString();
        var match = ours.matcher(name);
        if (match.matches() && Long.parseLong(match.group(1)) < token && !known.contains(name)) {
          Files.delete(left);
        }
      }
    }
  }

  String name() {
    return target.getFileName().toString();
  }

  long events() {
    return events;
  }

  void write(List<RecordedEvent> more) {
    more.forEach(this::line);
    events += more.size();
  }

  private void line(Object content) {
    try {
      lines.write((json.writeValueAsString(content) + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + part, e);
    }
  }

  /**
   * Ends the file with its seal.
   *
   * @return the SHA-256 of the file, in hex
   */
  String finish(Checkpoint seal) {
    line(CheckpointAnswer.of(seal));
    try {
      lines.finish();
      file.getFD().sync();
      lines.close();
      Files.move(part, target, ATOMIC_MOVE);
      return sha256();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot finish " + target, e);
    }
  }

  private String sha256() throws IOException {
    try (var in =
        new DigestInputStream(Files.newInputStream(target), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM ships SHA-256", e);
    }
  }

  /** Nothing is left of it. */
  void discard() {
    try {
      file.close();
      Files.deleteIfExists(part);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot take away " + part, e);
    }
  }
}
