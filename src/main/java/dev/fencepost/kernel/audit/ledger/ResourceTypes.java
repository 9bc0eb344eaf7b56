package dev.fencepost.kernel.audit.ledger;

import java.util.Map;

/** What an action is done to, for scripts that do not say it themselves. */
final class ResourceTypes {

  private static final Map<String, String> BY_FIRST_WORD =
      Map.of(
          "TICKET", "ticket",
          "STALE", "ticket",
          "NOTIFICATION", "ticket",
          "LIVE", "device",
          "COMMAND", "command",
          "ASSET", "asset",
          "INVENTORY", "asset",
          "AUDIT", "audit");

  private ResourceTypes() {}

  static String of(String action) {
    var end = action.indexOf('_');
    return BY_FIRST_WORD.getOrDefault(end < 0 ? action : action.substring(0, end), "other");
  }
}
