package dev.fencepost.kernel.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.platform.telemetry.LogFacts;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Says which lane an id belongs to: {@code crc32(id) mod lanes}. */
@ApplicationScoped
public class Lanes {

  private static final Pattern LANED_ID = Pattern.compile("[a-z](\\d{1,5})-[0-9a-z]{26}");

  private final int count;

  Lanes(@ConfigProperty(name = "fencepost.lanes", defaultValue = "64") int count) {
    if (count < 1) {
      throw new IllegalArgumentException("fencepost.lanes must be at least 1, but was " + count);
    }
    this.count = count;
  }

  public int count() {
    return count;
  }

  /** The lane of an asset, a device or a caller. */
  public Lane of(String id) {
    var crc = new CRC32();
    crc.update(id.getBytes(UTF_8));
    return new Lane((int) (crc.getValue() % count));
  }

  /** What log lines about an asset or a device carry. */
  public LogFacts facts(String id) {
    return of(id).facts().device(id);
  }

  /** An id that carries its lane, e.g. {@code t17-01jx5k…}. */
  public static String idIn(Lane lane, char kind, String ulid) {
    return kind + Integer.toString(lane.number()) + "-" + ulid;
  }

  /** The lane that an id carries; empty if it is not an id of ours. */
  public Optional<Lane> carriedBy(String id) {
    return writtenIn(id).filter(lane -> lane.number() < count);
  }

  /** The same of an id that is known to be one of ours. */
  public static Optional<Lane> writtenIn(String id) {
    var match = LANED_ID.matcher(id);
    return match.matches()
        ? Optional.of(new Lane(Integer.parseInt(match.group(1))))
        : Optional.empty();
  }

  /**
   * Every lane once, from a given start: sweepers begin at random so that none comes last always.
   */
  public List<Lane> allFrom(int start) {
    return IntStream.range(0, count).mapToObj(n -> new Lane((start + n) % count)).toList();
  }
}
