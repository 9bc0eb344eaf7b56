package dev.fencepost.platform.mqtt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;

/**
 * The JSON of a message. Fields that we do not know are passed over: who sends them would never
 * hear that they are refused.
 */
public final class MqttPayload {

  private MqttPayload() {}

  /** Reads it; fails with {@link Refused} if it is none, or is {@code null}. */
  public static <T> T read(ObjectMapper json, String payload, Class<T> type) {
    try {
      T read =
          json.readerFor(type)
              .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
              .readValue(payload);
      if (read == null) {
        throw new Refused(ProblemType.BAD_REQUEST, "the payload is null");
      }
      return read;
    } catch (JsonProcessingException e) {
      throw new Refused(ProblemType.BAD_REQUEST, "the payload is not the JSON that was expected");
    }
  }
}
