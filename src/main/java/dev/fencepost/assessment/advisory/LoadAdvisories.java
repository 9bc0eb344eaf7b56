package dev.fencepost.assessment.advisory;

import java.io.IOException;
import java.io.InputStream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads a whole place of records into a new index. A broken record is reported and skipped; a place
 * that cannot be read to its end, or is larger than allowed, gives no index at all.
 */
final class LoadAdvisories {

  /** What was read. */
  record Loaded(AdvisoryIndex index, int broken) {}

  private static final Logger LOG = Logger.getLogger(LoadAdvisories.class);

  /** Broken records named in the log, a load; more are only counted, lest they flood it. */
  private static final int BROKEN_NAMED = 50;

  /** Inflated, all records together: three times OSV's whole export of 2026. */
  private static final long MAX_TOTAL_BYTES = 32L << 30;

  private final int maxRecordBytes;
  private final int maxRecords;
  private final AdvisoryIndex.Builder index = new AdvisoryIndex.Builder();
  private final OsvJson json = new OsvJson(index::share);
  private long totalBytes;
  private int read;
  private int broken;

  private LoadAdvisories(int maxRecordBytes, int maxRecords) {
    this.maxRecordBytes = maxRecordBytes;
    this.maxRecords = maxRecords;
  }

  /**
   * Reads everything there is. Blocks.
   *
   * @throws IOException if the place cannot be read as a whole
   */
  static Loaded from(RecordFiles files, AdvisorySettings.Local limits) throws IOException {
    var load = new LoadAdvisories(limits.maxRecordBytes(), limits.maxRecords());
    files.readEach(load::read);
    if (load.broken > BROKEN_NAMED) {
      LOG.warnf("%d advisories in all are broken and skipped", load.broken);
    }
    return new Loaded(load.index.build(), load.broken);
  }

  private void read(String name, RecordFiles.Opening opening) throws IOException {
    read++;
    if (read > maxRecords) {
      throw new IOException("there are more than " + maxRecords + " records");
    }
    try {
      index.add(json.read(bytes(opening)));
    } catch (BrokenRecord e) {
      report(name, e.getMessage());
    }
    if (totalBytes > MAX_TOTAL_BYTES) {
      throw new IOException("the records have more than " + MAX_TOTAL_BYTES + " bytes");
    }
  }

  private byte[] bytes(RecordFiles.Opening opening) throws BrokenRecord {
    try (InputStream in = opening.open()) {
      var bytes = in.readNBytes(maxRecordBytes + 1);
      totalBytes += bytes.length;
      if (bytes.length > maxRecordBytes) {
        throw new BrokenRecord("longer than " + maxRecordBytes + " bytes");
      }
      return bytes;
    } catch (IOException e) {
      throw new BrokenRecord("not readable: " + e.getMessage());
    }
  }

  private void report(String name, @Nullable String reason) {
    broken++;
    if (broken <= BROKEN_NAMED) {
      LOG.warnf("advisory %s is broken and skipped: %s", name, reason);
    }
  }
}
