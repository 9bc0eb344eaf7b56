package dev.fencepost.kernel.identity.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFolderTest {

  private static final int PROCESSES = 6;

  @TempDir Path data;

  @Test
  void of_several_processes_that_start_at_once_one_makes_the_key_and_all_read_it()
      throws InterruptedException, IOException {
    var folder = data.resolve("keys");
    var start = new CountDownLatch(1);
    var threads = Executors.newFixedThreadPool(PROCESSES);
    for (var i = 0; i < PROCESSES; i++) {
      var kid = "kid-" + i;
      threads.submit(
          () -> {
            start.await();
            KeyFolder.makeFirst(folder, kid);
            return KeyFolder.read(folder).size();
          });
    }
    start.countDown();
    threads.shutdown();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    var keys = KeyFolder.read(folder);
    assertThat(keys).hasSize(1);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve(keys.get(0).kid() + ".pem"))))
        .isEqualTo("rw-------");
    try (var left = Files.list(data)) {
      assertThat(left).containsExactly(folder);
    }
  }
}
