package dev.fencepost.live;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of sessions, newest start first. */
record LivePage(List<LiveSession> items, @Nullable String nextPageToken) {}
