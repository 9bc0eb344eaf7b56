package dev.fencepost.assessment.notification;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;

/** JSON as receivers speak it, apart from the shape of our own API. */
final class Json {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static byte[] bytes(ObjectNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is JSON", e);
    }
  }

  /** The object that a body holds; empty if it holds anything else. */
  static Optional<JsonNode> parseObject(byte[] body) {
    try {
      return Optional.ofNullable(MAPPER.readTree(body)).filter(JsonNode::isObject);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
