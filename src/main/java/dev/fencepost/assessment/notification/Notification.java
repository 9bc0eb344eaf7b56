package dev.fencepost.assessment.notification;

import org.jspecify.annotations.Nullable;

/**
 * What a ticket knows of telling one channel.
 *
 * @param sends how often a request was about to leave
 * @param idempotencyKey {@code <ticket_id>:<channel>}, the same at every send
 * @param lastError why it is not notified yet
 */
public record Notification(
    String channel,
    DeliveryState state,
    int sends,
    String idempotencyKey,
    @Nullable String lastError) {}
