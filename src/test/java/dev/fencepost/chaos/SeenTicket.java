package dev.fencepost.chaos;

/**
 * A ticket as it stands at the end.
 *
 * @param facts how many statuses it says it has been in
 * @param refused how many stale writes it says were refused
 * @param inAgenda whether someone is still to look at it
 */
record SeenTicket(
    String ticketId,
    String assetId,
    String status,
    long token,
    long facts,
    long refused,
    boolean inAgenda) {}
