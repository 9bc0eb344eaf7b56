package dev.fencepost.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who runs PostgreSQL: it refuses to run as root.
 *
 * @param prefix goes before a command and drops root's rights; empty when there are none to drop
 * @param uid who must own the data; negative when it does not matter
 */
record OrdinaryUser(List<String> prefix, int uid) {

  static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

  private static final OrdinaryUser MYSELF = new OrdinaryUser(List.of(), -1);

  /** What "nobody" is called where it has a name. */
  private static final int NOBODY = 65534;

  /**
   * Ways for root to be somebody else. In a user namespace of its own, root has lost its name and
   * its rights but still owns its files; a container often forbids that, and allows to become
   * nobody.
   */
  private static final List<OrdinaryUser> INSTEAD_OF_ROOT =
      List.of(
          new OrdinaryUser(List.of("unshare", "--user"), 0),
          new OrdinaryUser(
              List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"),
              NOBODY));

  /**
   * Whoever can run the program and reach the data, tried in reality.
   *
   * @throws StoresUnavailable when this process is root and nobody else can
   */
  static OrdinaryUser forPostgres(Path program, Path dataDir) {
    if (!isRoot()) {
      return MYSELF;
    }
    return INSTEAD_OF_ROOT.stream()
        .filter(user -> user.canUse(program, dataDir))
        .findFirst()
        .orElseThrow(
            () ->
                new StoresUnavailable(
                    "PostgreSQL does not run as root, and nobody else can reach %s; start as an ordinary user"
                        .formatted(dataDir)));
  }

  private boolean canUse(Path program, Path dataDir) {
    return Command.succeeds(
        run(
            "sh",
            "-c",
            "test \"$(id -u)\" -ne 0 && test -x \"$0\" && test -x \"$1\"",
            program.toString(),
            dataDir.toString()));
  }

  private static boolean isRoot() {
    return Command.succeeds(List.of("sh", "-c", "test \"$(id -u)\" -eq 0"));
  }

  /** The command line that runs the program as this user. */
  List<String> run(String program, String... arguments) {
    return Stream.of(prefix.stream(), Stream.of(program), Stream.of(arguments))
        .flatMap(part -> part)
        .toList();
  }

  /** Gives a folder and all that is in it to this user. */
  void own(Path folder) {
    try {
      if (uid < 0 || Files.getAttribute(folder, "unix:uid").equals(uid)) {
        return;
      }
    } catch (IOException e) {
      throw new StoresUnavailable("cannot look at " + folder + ": " + e, e);
    }
    if (!Command.succeeds(List.of("chown", "-R", Integer.toString(uid), folder.toString()))) {
      throw new StoresUnavailable("cannot give %s to user %d".formatted(folder, uid));
    }
  }
}
