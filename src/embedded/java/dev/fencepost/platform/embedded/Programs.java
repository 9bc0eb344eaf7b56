package dev.fencepost.platform.embedded;

import io.zonky.test.db.postgres.util.ArchUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** Finds the programs of this operating system on the class path, and unpacks them once. */
final class Programs {

  private Programs() {}

  /** The {@code redis-server} program. */
  static Path redis(Path bin, Consumer<String> log) {
    var platform = OsArchitecture.detectOSandArchitecture();
    var resource =
        Optional.ofNullable(ExecutableProvider.newProvidedVersionsMap().get(platform))
            .orElseThrow(() -> new StoresUnavailable(missing("Redis")));
    try {
      return new UnpackOnce(bin, "redis-")
          .folder(Path.of(resource).getFileName().toString(), into -> copy(resource, into), log)
          .resolve("redis-server");
    } catch (IOException e) {
      throw new StoresUnavailable("cannot unpack Redis into " + bin + ": " + e, e);
    }
  }

  /** The folder with {@code bin/initdb} and {@code bin/postgres}. */
  static Path postgres(Path bin, Consumer<String> log) {
    try (var packed = packedPostgres()) {
      var archive = packed.readAllBytes();
      return new UnpackOnce(bin, "postgres-")
          .folder(
              "postgres-" + key(archive),
              into -> TarXz.extract(new ByteArrayInputStream(archive), into),
              log);
    } catch (IOException e) {
      throw new StoresUnavailable("cannot unpack PostgreSQL into " + bin + ": " + e, e);
    }
  }

  private static InputStream packedPostgres() {
    var system = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
    var architecture = ArchUtils.normalize(System.getProperty("os.arch"));
    var packed =
        ArchUtils.class.getResourceAsStream("/postgres-%s-%s.txz".formatted(system, architecture));
    if (packed == null) {
      throw new StoresUnavailable(missing("PostgreSQL"));
    }
    return packed;
  }

  private static void copy(String resource, Path into) throws IOException {
    try (var program = ExecutableProvider.class.getResourceAsStream(resource)) {
      if (program == null) {
        throw new StoresUnavailable(missing("Redis"));
      }
      var file = into.resolve("redis-server");
      Files.copy(program, file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  /** Tells versions apart, at every start: the contents are trusted, so a fast sum will do. */
  private static String key(byte[] archive) {
    var sum = new CRC32();
    sum.update(archive);
    return Long.toHexString(sum.getValue());
  }

  private static String missing(String store) {
    return "no bundled %s for %s %s; name outside stores"
        .formatted(store, System.getProperty("os.name"), System.getProperty("os.arch"));
  }
}
