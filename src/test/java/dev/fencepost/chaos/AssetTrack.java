package dev.fencepost.chaos;

/** What the events so far say of an asset. */
final class AssetTrack {

  long newestToken;

  /** Its unfinished ticket; empty if it has none. */
  String open = "";

  void close(String ticketId) {
    if (open.equals(ticketId)) {
      open = "";
    }
  }
}
