package dev.fencepost.platform.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/** A JSON body that may be left out. Clients send an empty one under any content type, or none. */
public final class OptionalBody {

  private OptionalBody() {}

  /**
   * Reads it.
   *
   * @return what stands in it, or in {@code {}} if there is none
   */
  public static <T> T read(ObjectMapper json, @Nullable String body, Class<T> type)
      throws JsonProcessingException {
    var text = body == null || body.isBlank() || body.strip().equals("null") ? "{}" : body;
    return json.readValue(text, type);
  }
}
