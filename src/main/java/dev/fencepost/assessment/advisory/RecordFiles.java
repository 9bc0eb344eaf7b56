package dev.fencepost.assessment.advisory;

import java.io.IOException;
import java.io.InputStream;

/** A place where OSV records lie as files. */
interface RecordFiles {

  /** Takes one record's bytes; they may be unreadable. */
  @FunctionalInterface
  interface Reader {

    /**
     * Reads one record.
     *
     * @param name the file's, for a person who looks for it
     * @throws IOException only if reading must stop altogether
     */
    void read(String name, Opening opening) throws IOException;
  }

  /** Opens one record's bytes. */
  @FunctionalInterface
  interface Opening {

    InputStream open() throws IOException;
  }

  /** Equal as long as nothing changed; cheap, by names, sizes and times. */
  String fingerprint() throws IOException;

  /**
   * Reads every record there.
   *
   * @throws IOException if the place, or a zip in it, cannot be read: then what was read so far is
   *     not the whole
   */
  void readEach(Reader reader) throws IOException;
}
