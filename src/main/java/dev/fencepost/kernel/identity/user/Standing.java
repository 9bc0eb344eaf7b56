package dev.fencepost.kernel.identity.user;

import dev.fencepost.kernel.identity.Permission;
import java.util.Set;

/**
 * What replicas must know about a user to judge its tokens.
 *
 * @param version rises with every change; of two, the higher one is true
 * @param revoked grants and tokens that were given back, until they run out by themselves
 * @param gone whether the user was deleted
 * @param publishedAt when Redis was told, in ms of its clock; 0 if it was not yet
 */
public record Standing(
    long version,
    long tokenVersion,
    long permissionVersion,
    Set<Permission> permissions,
    Set<String> revoked,
    boolean gone,
    long publishedAt) {

  public Standing {
    permissions = Set.copyOf(permissions);
    revoked = Set.copyOf(revoked);
  }

  /** Whether it is at least as new as what a token was made from. */
  boolean covers(long otherTokenVersion, long otherPermissionVersion) {
    return tokenVersion >= otherTokenVersion && permissionVersion >= otherPermissionVersion;
  }

  /** Whether a token, or the grant it comes from, was given back. */
  public boolean isRevoked(String tokenId, String grant) {
    return revoked.contains(tokenId) || revoked.contains(grant);
  }
}
