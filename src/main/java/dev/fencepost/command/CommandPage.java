package dev.fencepost.command;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of commands, newest first. */
record CommandPage(List<Command> items, @Nullable String nextPageToken) {}
