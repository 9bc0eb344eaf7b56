package dev.fencepost.platform.outgoing;

import static dev.fencepost.platform.outgoing.Unreachable.Kind.UNKNOWN_HOST;

import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The host and port of a target: all of a URL that may be shown in a message.
 *
 * @param host without brackets
 */
record Endpoint(String host, int port) {

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,253}");
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:\\[(?<six>[^\\[\\]]+)]|(?<host>[^:\\[\\]]+))(?::(?<port>[0-9]{0,5}))?");
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int NO_PORT = -1;
  private static final int LARGEST_PORT = 65_535;

  /**
   * Reads the authority itself, because {@link URI#getHost} knows no host in {@code
   * http://2130706433/} or {@code http://a_b/}, and others do.
   *
   * @throws Unreachable if the target names no host, or no port and its scheme has none
   */
  static Endpoint of(URI target) {
    var authority = target.getRawAuthority();
    if (authority == null) {
      throw new Unreachable(UNKNOWN_HOST, "the target names no host", false);
    }
    var parts = AUTHORITY.matcher(authority.substring(authority.lastIndexOf('@') + 1));
    if (!parts.matches()) {
      throw new Unreachable(UNKNOWN_HOST, "the target's host is malformed", false);
    }
    var six = parts.group("six");
    var host = six != null ? six : parts.group("host");
    if (six == null && !HOST.matcher(host).matches()) {
      throw new Unreachable(UNKNOWN_HOST, "the target's host is malformed", false);
    }
    return new Endpoint(host, port(target, parts.group("port")));
  }

  private static int port(URI target, @Nullable String written) {
    var port =
        written == null || written.isEmpty() ? standardPort(target) : Integer.parseInt(written);
    if (port < 1 || port > LARGEST_PORT) {
      throw new Unreachable(UNKNOWN_HOST, "the target names no usable port", false);
    }
    return port;
  }

  private static int standardPort(URI target) {
    if (isScheme(target, "https")) {
      return HTTPS_PORT;
    }
    return isScheme(target, "http") ? HTTP_PORT : NO_PORT;
  }

  static boolean isScheme(URI target, String scheme) {
    return scheme.equalsIgnoreCase(target.getScheme());
  }

  /** For messages about targets that may be malformed. */
  static String describe(URI target) {
    try {
      return of(target).toString();
    } catch (Unreachable e) {
      return "a malformed target";
    }
  }

  /** The value of a {@code Host} header. */
  String authority(boolean tls) {
    var name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return port == (tls ? HTTPS_PORT : HTTP_PORT) ? name : name + ":" + port;
  }

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
