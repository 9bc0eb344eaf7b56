package dev.fencepost.kernel.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Events of one process on disk, a JSON object a line, in order. The file is locked while its
 * process lives, emptied when Redis has taken all of it, and read again from its start by whoever
 * finds it after a crash: the ledger knows repeats by their numbers.
 */
final class SpoolFile implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int READ_AT_ONCE = 64 * 1024;

  private final Path path;
  private final FileChannel channel;
  private long taken;

  private SpoolFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Opens or makes it; empty if another process holds it. */
  static Optional<SpoolFile> open(Path path) {
    try {
      var channel =
          FileChannel.open(
              path,
              EnumSet.of(CREATE, READ, WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      if (isOurs(channel)) {
        return Optional.of(new SpoolFile(path, channel));
      }
      channel.close();
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open " + path, e);
    }
  }

  private static boolean isOurs(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    }
  }

  /** The events after {@code taken}; what follows the last line break was torn and is left out. */
  record Batch(List<SpooledEvent> events, long end) {}

  void append(List<SpooledEvent> events) {
    var lines = new StringBuilder();
    events.forEach(event -> lines.append(line(event)).append('\n'));
    try {
      var bytes = ByteBuffer.wrap(lines.toString().getBytes(UTF_8));
      var at = channel.size();
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + path, e);
    }
  }

  Batch next(int most) {
    try {
      var end = taken;
      var events = new ArrayList<SpooledEvent>();
      var line = line(end);
      while (line.isPresent() && events.size() < most) {
        events.add(event(JSON.readTree(line.get())));
        end += line.get().length + 1L;
        line = line(end);
      }
      return new Batch(events, end);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  /** The bytes up to the next line break; empty if there is none. */
  private Optional<byte[]> line(long from) throws IOException {
    for (var room = READ_AT_ONCE; ; room *= 2) {
      var buffer = ByteBuffer.allocate(room);
      var read = channel.read(buffer, from);
      for (var i = 0; i < read; i++) {
        if (buffer.get(i) == '\n') {
          var line = new byte[i];
          buffer.get(0, line);
          return Optional.of(line);
        }
      }
      if (read < room) {
        return Optional.empty();
      }
    }
  }

  /** Redis has everything up to here. */
  void taken(Batch batch) {
    taken = batch.end();
    try {
      if (taken > 0 && taken == channel.size()) {
        channel.truncate(0);
        taken = 0;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot empty " + path, e);
    }
  }

  long size() {
    try {
      return channel.size();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  /** How many bytes were left when the writer was killed in the middle of a line. */
  long torn() {
    return size() - taken;
  }

  void delete() {
    try {
      channel.close();
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  private static String line(SpooledEvent event) {
    var json = JSON.createObjectNode().put("lane", event.lane());
    var fields = json.putObject("fields");
    event.fields().forEach(fields::put);
    return json.toString();
  }

  private static SpooledEvent event(JsonNode json) {
    var fields = new LinkedHashMap<String, String>();
    json.get("fields").properties().forEach(f -> fields.put(f.getKey(), f.getValue().asText()));
    return new SpooledEvent(json.get("lane").asInt(), fields);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close " + path, e);
    }
  }
}
