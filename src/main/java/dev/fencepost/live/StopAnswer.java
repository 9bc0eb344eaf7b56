package dev.fencepost.live;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.fencepost.live.Stopped.Answer;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What a client hears of its wish to stop: always a result, never an error, so that nobody repeats
 * it out of fear.
 *
 * @param message the result in a sentence
 * @param status of the session that was meant; null if nothing is known of it
 * @param commandId the session's one stop command
 * @param commandIssued true if this very request made the command
 */
@Schema(name = "StopResult")
record StopAnswer(
    Result result,
    String message,
    @Nullable LiveStatus status,
    @Nullable String sessionId,
    @Nullable String commandId,
    boolean commandIssued) {

  /** What came of it. */
  enum Result {
    @JsonProperty("accepted")
    ACCEPTED,
    @JsonProperty("already_stopping")
    ALREADY_STOPPING,
    @JsonProperty("already_stopped")
    ALREADY_STOPPED,
    @JsonProperty("no_session")
    NO_SESSION,
    @JsonProperty("superseded")
    SUPERSEDED
  }

  static StopAnswer of(Stopped stopped) {
    var result = result(stopped.answer());
    return new StopAnswer(
        result,
        message(result),
        stopped.status(),
        stopped.sessionId().isEmpty() ? null : stopped.sessionId(),
        stopped.commandId(),
        result == Result.ACCEPTED);
  }

  private static Result result(Answer answer) {
    return switch (answer) {
      case ACCEPTED -> Result.ACCEPTED;
      case ALREADY_STOPPING -> Result.ALREADY_STOPPING;
      case ALREADY_STOPPED -> Result.ALREADY_STOPPED;
      case SUPERSEDED -> Result.SUPERSEDED;
      case NO_SESSION -> Result.NO_SESSION;
      case NOT_DUE -> throw new IllegalStateException("only a sweep asks whether it is due");
    };
  }

  private static String message(Result result) {
    return switch (result) {
      case ACCEPTED -> "the stop command was issued";
      case ALREADY_STOPPING -> "the stop command was issued before and is on its way";
      case ALREADY_STOPPED -> "the session has been stopped";
      case NO_SESSION -> "the device has no session; there is nothing to stop";
      case SUPERSEDED -> "another session took its place; that one was not touched";
    };
  }
}
