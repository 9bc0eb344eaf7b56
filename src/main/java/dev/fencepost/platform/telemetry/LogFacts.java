package dev.fencepost.platform.telemetry;

import java.util.Map;
import org.jboss.logging.MDC;

/** Facts that log lines carry beside their text: fields of their own in JSON logs. */
public final class LogFacts {

  private LogFacts() {}

  /** Whatever the given code logs carries these. */
  public static void with(Map<String, String> facts, Runnable logging) {
    facts.forEach(MDC::put);
    try {
      logging.run();
    } finally {
      facts.keySet().forEach(MDC::remove);
    }
  }
}
