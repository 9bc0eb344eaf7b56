package dev.fencepost.kernel.identity.user;

/**
 * A user and what its password is checked against.
 *
 * @param passwordHash in PHC form, {@code $argon2id$v=19$…}
 */
record Credentials(User user, String passwordHash) {

  /** Never the hash. */
  @Override
  public String toString() {
    return "credentials of " + user.userId();
  }
}
