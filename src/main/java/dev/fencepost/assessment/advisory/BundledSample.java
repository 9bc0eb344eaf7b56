package dev.fencepost.assessment.advisory;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipInputStream;

/** The sample advisories that the build packs into the application. */
final class BundledSample implements RecordFiles {

  private static final String RESOURCE = "samples/advisories.zip";

  @Override
  public String fingerprint() {
    return RESOURCE;
  }

  @Override
  public void readEach(Reader reader) throws IOException {
    try (var zip = new ZipInputStream(open())) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (FolderOfRecords.isRecord(entry.getName())) {
          reader.read(entry.getName(), () -> entryOf(zip));
        }
      }
    }
  }

  private static InputStream open() throws IOException {
    var resource = BundledSample.class.getClassLoader().getResourceAsStream(RESOURCE);
    if (resource == null) {
      throw new IOException(RESOURCE + " is not on the class path: it is made by the build");
    }
    return resource;
  }

  /** The end of an entry is not the end of the zip. */
  private static InputStream entryOf(ZipInputStream zip) {
    return new FilterInputStream(zip) {
      @Override
      public void close() throws IOException {
        zip.closeEntry();
      }
    };
  }
}
