package dev.fencepost.command;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;

/**
 * Where everything about one live session lies in Redis. It stands beside the commands because the
 * end of a stop command ends the session in the same script. See docs/keyspace.md.
 */
public record SessionKeys(Lane lane, String deviceId, String sessionId) {

  private static final String FEATURE = "live";
  private static final String LOCK = ":stop-lock";

  /** The session's member among all sessions of the lane. Ids hold no blank. */
  public String member() {
    return deviceId + " " + sessionId;
  }

  public static SessionKeys ofMember(Lanes lanes, String member) {
    var blank = member.indexOf(' ');
    var deviceId = member.substring(0, blank);
    return new SessionKeys(lanes.of(deviceId), deviceId, member.substring(blank + 1));
  }

  /** The device's newest session, whichever that is. */
  public String newest() {
    return lane.key(FEATURE, "session", name());
  }

  /** Where this session goes when another takes its place. */
  public String past() {
    return lane.key(FEATURE, "past", name() + "%" + sessionId);
  }

  public String stopLock() {
    return lane.key(FEATURE, "session", name() + LOCK + ":" + sessionId);
  }

  public String live() {
    return sessions(lane, "live");
  }

  public String stopping() {
    return sessions(lane, "stopping");
  }

  public String stopped() {
    return sessions(lane, "stopped");
  }

  /** All sessions of a lane in one status, by their start. */
  public static String sessions(Lane lane, String status) {
    return lane.key(FEATURE, "sessions", status);
  }

  /** When `stopped` may forget its members. */
  public String forget() {
    return lane.key(FEATURE, "forget");
  }

  /** The devices of a lane that have a live session, by their last heartbeat. */
  public static String active(Lane lane) {
    return lane.key(FEATURE, "session", "active");
  }

  /** Some names that a device may have mean something else here. No id holds a '%'. */
  private String name() {
    if (deviceId.equals("active")) {
      return "%active";
    }
    return deviceId.contains(LOCK) ? deviceId.replace(':', '%') : deviceId;
  }
}
