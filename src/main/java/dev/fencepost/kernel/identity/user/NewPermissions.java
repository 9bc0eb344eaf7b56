package dev.fencepost.kernel.identity.user;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Permissions to be set, in place of all there were. */
record NewPermissions(@Nullable List<String> permissions) {}
