package dev.fencepost.command;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Something a device is told to do, and what it has answered.
 *
 * @param commandId the same on every sending: devices drop repeats by it
 * @param sends how often it was handed to a channel
 * @param sentAt when it was handed over first
 * @param detail what the device said about the outcome
 * @param lateReport what the device reported after the command had ended otherwise; it changes
 *     nothing
 */
@Schema(name = "Command")
public record Command(
    String commandId,
    String deviceId,
    String sessionId,
    String type,
    CommandStatus status,
    int sends,
    @Nullable String reason,
    Instant createdAt,
    @Nullable Instant sentAt,
    @Nullable Instant lastSentAt,
    @Nullable Instant ackedAt,
    @Nullable Instant appliedAt,
    @Nullable Instant failedAt,
    @Nullable Instant expiredAt,
    Instant expiresAt,
    @Nullable String detail,
    @Nullable String lateReport,
    @Nullable Instant lateReportAt) {}
