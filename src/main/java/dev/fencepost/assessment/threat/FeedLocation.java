package dev.fencepost.assessment.threat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Where a feed lies. */
sealed interface FeedLocation {

  /** The last part of its path: a URL may hold credentials, and a folder is nobody's business. */
  String name();

  /**
   * Reads the configured location, or the bundled sample's if there is none.
   *
   * @throws IllegalArgumentException if the location is of a kind that nothing here can read
   */
  static FeedLocation of(Optional<String> configured, String sample) {
    return configured.map(FeedLocation::of).orElseGet(() -> new Sample(sample));
  }

  private static FeedLocation of(String text) {
    var scheme = text.toLowerCase(Locale.ROOT);
    if (scheme.startsWith("http://") || scheme.startsWith("https://")) {
      return new Remote(URI.create(text));
    }
    if (scheme.startsWith("file:")) {
      return new LocalFile(Path.of(URI.create(text)));
    }
    if (scheme.contains("://")) {
      throw new IllegalArgumentException("a feed is a file or an http(s) URL, but was " + text);
    }
    return new LocalFile(Path.of(text));
  }

  /** True if the name says comma-separated values, packed or not. */
  default boolean isCsv() {
    var name = name().toLowerCase(Locale.ROOT);
    return name.endsWith(".csv") || name.endsWith(".csv.gz");
  }

  /** A feed that is read without a network, so it may be read while the service starts. */
  sealed interface Local extends FeedLocation {

    InputStream open() throws IOException;
  }

  /** The sample that every build carries. */
  record Sample(String resource) implements Local {

    @Override
    public String name() {
      return lastPart(resource);
    }

    @Override
    public InputStream open() throws IOException {
      var stream = FeedLocation.class.getResourceAsStream(resource);
      if (stream == null) {
        throw new FileNotFoundException("this build carries no sample " + name());
      }
      return stream;
    }
  }

  /** A file that someone else keeps up to date. */
  record LocalFile(Path path) implements Local {

    @Override
    public String name() {
      return lastPart(path.toString());
    }

    @Override
    public InputStream open() throws IOException {
      try {
        return Files.newInputStream(path);
      } catch (NoSuchFileException e) {
        throw new FileNotFoundException("no such file");
      }
    }
  }

  /** A feed that is downloaded. */
  record Remote(URI target) implements FeedLocation {

    @Override
    public String name() {
      var path = target.getPath();
      return path == null || path.length() <= 1 ? target.getHost() : lastPart(path);
    }
  }

  private static String lastPart(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
