package dev.fencepost.platform.mqtt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Topics that are alike but for some names: {@code +} stands for one name. */
public record TopicFilter(String pattern) {

  /** The names that a topic has where the filter has {@code +}; empty if it is another's. */
  Optional<List<String>> match(String topic) {
    var wanted = pattern.split("/", -1);
    var given = topic.split("/", -1);
    if (wanted.length != given.length) {
      return Optional.empty();
    }
    var names = new ArrayList<String>();
    for (var i = 0; i < wanted.length; i++) {
      if (wanted[i].equals("+")) {
        names.add(given[i]);
      } else if (!wanted[i].equals(given[i])) {
        return Optional.empty();
      }
    }
    return Optional.of(List.copyOf(names));
  }
}
