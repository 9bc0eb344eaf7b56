package dev.fencepost.platform.embedded;

import java.nio.file.Path;

/**
 * What is where below {@code fencepost.data-dir}.
 *
 * @param root absolute, with no symbolic link in it
 */
record DataDirectory(Path root) {

  /** Unpacked programs. A process that runs one of them belongs to this data directory. */
  Path programs() {
    return root.resolve("bin");
  }

  Path redis() {
    return root.resolve("redis");
  }

  Path postgres() {
    return root.resolve("postgres");
  }

  /** What a server said since its last start. */
  Path log(String name) {
    return root.resolve(name + ".log");
  }

  Path lock() {
    return root.resolve("lock");
  }

  /** The pid of the process that holds the lock. */
  Path owner() {
    return root.resolve("owner.pid");
  }

  Path password() {
    return root.resolve("store-password");
  }
}
