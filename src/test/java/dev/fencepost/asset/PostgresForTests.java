package dev.fencepost.asset;

import dev.fencepost.platform.embedded.BundledStores;
import dev.fencepost.platform.embedded.RunningStores;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Real stores for the time of the tests. */
public class PostgresForTests implements QuarkusTestResourceLifecycleManager {

  private @Nullable RunningStores stores;

  @Override
  public Map<String, String> start() {
    try {
      stores = new BundledStores().start(Files.createTempDirectory("asset-tests"), message -> {});
      return stores.settings();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void stop() {
    if (stores != null) {
      stores.close();
    }
  }
}
