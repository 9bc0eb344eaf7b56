package dev.fencepost.kernel.audit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** An event on its way to the stream of its lane. */
record SpooledEvent(int lane, Map<String, String> fields) {

  SpooledEvent {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }
}
