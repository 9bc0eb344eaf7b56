package dev.fencepost.command;

import static java.util.Comparator.comparing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of commands, newest first. */
record CommandPage(List<Command> items, @Nullable String nextPageToken) {

  static CommandPage newestFirst(List<Command> found, @Nullable String nextPageToken) {
    var items = new ArrayList<>(found);
    items.sort(comparing(Command::createdAt).thenComparing(Command::commandId).reversed());
    return new CommandPage(List.copyOf(items), nextPageToken);
  }
}
