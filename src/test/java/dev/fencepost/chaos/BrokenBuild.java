package dev.fencepost.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The packaged service with the fence taken out: {@code record.lua} asks neither for the token nor
 * for the holder, only whether the edge is legal. Made from the real build at every run, so that
 * the two differ in nothing else.
 */
final class BrokenBuild {

  private static final String SCRIPT = "lua/assessment/record.lua";

  /** From the comparison of tokens up to the comparison of statuses, which stays. */
  private static final Pattern FENCE =
      Pattern.compile(
          "if known\\[1] ~= ARGV\\[1] then\\s+refusal = 'STALE_TOKEN'\\s+elseif .*?"
              + "\\s+refusal = 'LEASE_LOST'\\s+elseif ",
          Pattern.DOTALL);

  private BrokenBuild() {}

  static Path of(Path packaged, Path directory) {
    try {
      var broken =
          Files.createTempDirectory(Files.createDirectories(directory).toAbsolutePath(), "broken-");
      for (var name : new String[] {"lib", "quarkus"}) {
        Files.createSymbolicLink(broken.resolve(name), packaged.resolve(name).toAbsolutePath());
      }
      Files.copy(packaged.resolve("quarkus-run.jar"), broken.resolve("quarkus-run.jar"));
      Files.createDirectory(broken.resolve("app"));
      try (var jars = Files.newDirectoryStream(packaged.resolve("app"), "*.jar")) {
        for (var jar : jars) {
          takeOutTheFence(Files.copy(jar, broken.resolve("app").resolve(jar.getFileName())));
        }
      }
      return broken;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void takeOutTheFence(Path jar) throws IOException {
    try (var zip = FileSystems.newFileSystem(jar)) {
      var script = zip.getPath(SCRIPT);
      Files.writeString(script, withoutFence(Files.readString(script, UTF_8)), UTF_8);
    }
  }

  static String withoutFence(String script) {
    var fence = FENCE.matcher(script);
    if (!fence.find()) {
      throw new AssertionError(SCRIPT + " has no fence check where it used to be");
    }
    return fence.replaceFirst("if ");
  }
}
