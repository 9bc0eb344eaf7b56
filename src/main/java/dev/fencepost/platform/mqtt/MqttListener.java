package dev.fencepost.platform.mqtt;

import dev.fencepost.platform.telemetry.LogFacts;
import io.smallrye.mutiny.Uni;
import java.util.List;

/** Who wants to hear messages of a kind. */
public interface MqttListener {

  /** Which topics. */
  List<TopicFilter> topics();

  /**
   * Hears a message; it may come again, and messages of one sender may overtake each other. When
   * this completes, the broker may forget the message.
   *
   * @param by which of the filters the topic matches
   * @param names what the topic has where the filter has {@code +}
   * @return nothing; fails with {@code Refused} if there is nothing in the message to be heard, and
   *     with {@code RedisUnavailable} if it is to be tried again
   */
  Uni<Void> hear(TopicFilter by, List<String> names, String payload);

  /**
   * What log lines about a message carry.
   *
   * @param names as {@link #hear} is given them: whatever the sender wrote
   */
  LogFacts facts(List<String> names);
}
