package dev.fencepost.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.telemetry.LogFacts;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** Where everything about the stop command of one session lies. See docs/keyspace.md. */
public record CommandKeys(Lane lane, String deviceId, String sessionId) {

  private static final String FEATURE = "command";
  private static final char KIND = 'c';
  private static final int ID_LENGTH = 26;
  private static final int RADIX = 32;

  public static CommandKeys of(SessionKeys session) {
    return new CommandKeys(session.lane(), session.deviceId(), session.sessionId());
  }

  static CommandKeys of(Lane lane, Command command) {
    return new CommandKeys(lane, command.deviceId(), command.sessionId());
  }

  static CommandKeys ofEntry(Lane lane, String entry) {
    var parts = entry.split(" ", 3);
    return new CommandKeys(lane, parts[1], parts[2]);
  }

  /**
   * The id of the session's one stop command: the same however often, wherever and by whomever it
   * is asked for. 130 bits of a digest, so two sessions never share one.
   */
  public String commandId() {
    var digest = new BigInteger(1, sha256(deviceId + " " + sessionId)).toString(RADIX);
    var padded = "0".repeat(ID_LENGTH) + digest;
    return Lanes.idIn(lane, KIND, padded.substring(padded.length() - ID_LENGTH));
  }

  /** The member of agenda, expiry and outstanding. Ids hold no blank. */
  public String entry() {
    return commandId() + " " + deviceId + " " + sessionId;
  }

  /** What log lines about the command carry. */
  LogFacts facts() {
    return lane.facts().device(deviceId);
  }

  SessionKeys session() {
    return new SessionKeys(lane, deviceId, sessionId);
  }

  public String command() {
    return command(lane, commandId());
  }

  static String command(Lane lane, String commandId) {
    return lane.key(FEATURE, "command", commandId);
  }

  public String agenda() {
    return agenda(lane);
  }

  static String agenda(Lane lane) {
    return lane.key(FEATURE, "agenda");
  }

  public String expiry() {
    return expiry(lane);
  }

  static String expiry(Lane lane) {
    return lane.key(FEATURE, "expiry");
  }

  public String outstanding() {
    return outstanding(lane, deviceId);
  }

  static String outstanding(Lane lane, String deviceId) {
    return lane.key(FEATURE, "outstanding", deviceId);
  }

  public String ofDevice() {
    return ofDevice(lane, deviceId);
  }

  static String ofDevice(Lane lane, String deviceId) {
    return lane.key(FEATURE, "device", deviceId);
  }

  public String audit() {
    return lane.key("audit", "events");
  }

  List<String> forReporting() {
    return List.of(
        command(),
        agenda(),
        expiry(),
        outstanding(),
        session().stopping(),
        session().stopped(),
        session().forget(),
        audit(),
        session().newest(),
        session().past());
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM ships SHA-256", e);
    }
  }
}
