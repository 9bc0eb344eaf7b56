package dev.fencepost;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.util.Map;

/** A few Redis commands, where no client is at hand yet. A command is one line. */
public record RespClient(String host, int port, String password) {

  /**
   * Where these settings lead.
   *
   * @param settings as {@code RunningStores} gives them
   */
  public static RespClient of(Map<String, String> settings) {
    var hosts = URI.create(settings.get("quarkus.redis.hosts"));
    return new RespClient(
        hosts.getHost(), hosts.getPort(), settings.getOrDefault("quarkus.redis.password", ""));
  }

  /** The lines of the answer without lengths, e.g. {@code appendonly yes}. */
  public String send(String command) {
    try (var socket = new Socket(host, port)) {
      var lines = "AUTH %s\r\n%s\r\nQUIT\r\n".formatted(password, command);
      socket.getOutputStream().write(lines.getBytes(UTF_8));
      var answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      if (!"+OK".equals(answers.readLine())) {
        throw new IllegalStateException("the password is refused");
      }
      var answer = answers.lines().filter(line -> !line.matches("[$*]\\d+")).toList();
      return String.join(" ", answer.subList(0, answer.size() - 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
