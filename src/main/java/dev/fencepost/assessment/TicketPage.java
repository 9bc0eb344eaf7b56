package dev.fencepost.assessment;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of tickets, newest first. */
record TicketPage(List<TicketAnswer> items, @Nullable String nextPageToken) {}
