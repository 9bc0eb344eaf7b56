package dev.fencepost.platform.embedded;

import dev.fencepost.platform.time.Entropy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HexFormat;

/**
 * The password of both stores. Every user of a machine can reach its loopback ports, so there is
 * one; it is made at the first start and readable by the owner of the data only.
 */
final class StorePassword {

  private static final int BYTES = 24;

  private StorePassword() {}

  static String of(DataDirectory directory) {
    try {
      return Files.exists(directory.password())
          ? Files.readString(directory.password()).strip()
          : made(directory);
    } catch (IOException e) {
      throw new StoresUnavailable("cannot keep " + directory.password() + ": " + e, e);
    }
  }

  private static String made(DataDirectory directory) throws IOException {
    if (Files.exists(directory.postgres())) {
      throw new StoresUnavailable(
          "%s is missing, and %s cannot be opened without it"
              .formatted(directory.password(), directory.postgres()));
    }
    var password = HexFormat.of().formatHex(new Entropy().freshBytes(BYTES));
    SecretFile.write(directory.password(), password);
    return password;
  }
}
