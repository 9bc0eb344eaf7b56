package dev.fencepost.assessment.threat;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** A feed's bytes as they are read: unpacked if they are packed, and never more than allowed. */
final class FeedText extends FilterInputStream {

  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;
  private static final int MAGIC_BYTES = 2;

  private final long maxBytes;
  private long bytesRead;

  private FeedText(InputStream in, long maxBytes) {
    super(in);
    this.maxBytes = maxBytes;
  }

  /** The limit holds for the unpacked bytes, so a packed bomb ends early too. */
  static InputStream of(InputStream raw, long maxBytes) throws IOException {
    var in = new BufferedInputStream(raw);
    in.mark(MAGIC_BYTES);
    var isPacked = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
    in.reset();
    return new FeedText(isPacked ? new GZIPInputStream(in) : in, maxBytes);
  }

  @Override
  public int read() throws IOException {
    var value = super.read();
    if (value >= 0) {
      count(1);
    }
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    var read = super.read(buffer, offset, length);
    if (read > 0) {
      count(read);
    }
    return read;
  }

  @Override
  public boolean markSupported() {
    return false; // going back would count twice
  }

  private void count(int bytes) throws IOException {
    bytesRead += bytes;
    if (bytesRead > maxBytes) {
      throw new IOException("it is longer than " + maxBytes + " bytes");
    }
  }
}
