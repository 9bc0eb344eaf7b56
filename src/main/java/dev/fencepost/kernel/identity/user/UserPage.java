package dev.fencepost.kernel.identity.user;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some users, in the order of their ids.
 *
 * @param nextPageToken null on the last page
 */
record UserPage(List<UserAnswer> items, @Nullable String nextPageToken) {}
