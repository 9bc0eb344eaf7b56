import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.function.Consumer;

/** A way between the device and the service: HTTP, or an MQTT broker. */
interface Road extends AutoCloseable {

  /** Listens for commands until it is closed, over as many connections as that takes. */
  void follow(Consumer<JsonNode> commands) throws IOException;

  /** False if the service said that the session is over. */
  boolean heartbeat(String sessionId) throws IOException;

  /** Hands over that the device has a command; fails if nobody took it. */
  void acked(String commandId) throws IOException;

  /** Hands over what became of it; fails if nobody took it. */
  void applied(String commandId, boolean success, String detail) throws IOException;

  @Override
  void close();
}
