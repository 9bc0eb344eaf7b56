import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** How a device is to behave, as its command line says. */
class Options {

  static final String USAGE =
      """
      usage: bin/device --id cam-1 --password … [options]
        --url URL            the service (http://localhost:8080)
        --id ID              the device, and its user
        --user U, --password P   log in as somebody else; the password may be in DEVICE_PASSWORD
        --enroll FILE        first make the device's user, as admin with the password in FILE
        --mqtt URL           heartbeats, commands and reports through a broker, mqtt://host:1883
                             or mqtts://host:8883
        --mqtt-user U, --mqtt-password P   the broker's; the password may be in DEVICE_MQTT_PASSWORD
        --mqtt-trust FILE    PEM certificates to trust instead of the JVM's, for mqtts
        --session ID         the session to start; a fresh one unless given
        --heartbeat 5s       the pause between heartbeats
        --restart            start another session when one is stopped
        --slow 5s            think before carrying out
        --deaf               hear commands, never answer
        --silent             send no heartbeats
        --repeat             say everything three times
        --refuse             answer that it cannot be done""";

  /** What a device may do wrong. */
  enum Quirk {
    DEAF,
    SILENT,
    REPEAT,
    REFUSE
  }

  URI url = URI.create("http://localhost:8080");
  String id = "";
  String user = "";
  String password = System.getenv().getOrDefault("DEVICE_PASSWORD", "");
  String enroll = "";
  String mqtt = "";
  String mqttUser = "";
  String mqttPassword = System.getenv().getOrDefault("DEVICE_MQTT_PASSWORD", "");
  String mqttTrust = "";
  String session = "";
  Duration heartbeat = Duration.ofSeconds(5);
  Duration slow = Duration.ZERO;
  boolean restart;
  final Set<Quirk> quirks = EnumSet.noneOf(Quirk.class);

  /** Reads a command line; what it says wrongly is an {@link IllegalArgumentException}. */
  static Options parse(String... args) {
    var options = new Options();
    var rest = new ArrayDeque<>(List.of(args));
    while (!rest.isEmpty()) {
      options.take(rest.pop(), rest);
    }
    if (options.id.isEmpty()) {
      throw new IllegalArgumentException("--id is missing");
    }
    if (options.user.isEmpty()) {
      options.user = options.id;
    }
    if (options.password.isEmpty() && options.enroll.isEmpty()) {
      throw new IllegalArgumentException("--password or --enroll is missing");
    }
    return options;
  }

  private void take(String name, ArrayDeque<String> rest) {
    switch (name) {
      case "--url" -> url = URI.create(value(name, rest));
      case "--id" -> id = value(name, rest);
      case "--user" -> user = value(name, rest);
      case "--password" -> password = value(name, rest);
      case "--enroll" -> enroll = value(name, rest);
      case "--mqtt" -> mqtt = value(name, rest);
      case "--mqtt-user" -> mqttUser = value(name, rest);
      case "--mqtt-password" -> mqttPassword = value(name, rest);
      case "--mqtt-trust" -> mqttTrust = value(name, rest);
      case "--session" -> session = value(name, rest);
      case "--heartbeat" -> heartbeat = duration(value(name, rest));
      case "--slow" -> slow = duration(value(name, rest));
      case "--restart" -> restart = true;
      case "--deaf", "--silent", "--repeat", "--refuse" ->
          quirks.add(Quirk.valueOf(name.substring(2).toUpperCase(Locale.ROOT)));
      default -> throw new IllegalArgumentException("what is " + name + "?");
    }
  }

  boolean is(Quirk quirk) {
    return quirks.contains(quirk);
  }

  /** The password of admin, where the first start has written it. */
  String adminPassword() throws IOException {
    return Files.readString(Path.of(enroll)).strip();
  }

  private static String value(String name, ArrayDeque<String> rest) {
    if (rest.isEmpty()) {
      throw new IllegalArgumentException(name + " needs a value");
    }
    return rest.pop();
  }

  /** As the service's settings spell it: {@code 200ms}, {@code 5s}, {@code 10m}. */
  private static Duration duration(String text) {
    try {
      return text.endsWith("ms")
          ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
          : Duration.parse("PT" + text);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("a duration looks like 200ms, 5s or 10m, not " + text, e);
    }
  }
}
