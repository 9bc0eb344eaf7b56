package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/** A camera whose user starts and stops it, over and over, and who remembers every stop. */
final class Camera {

  private static final Pattern COMMAND = Pattern.compile("\"command_id\":\"([^\"]+)\"");

  private final String device;

  /** The command of every stop that was confirmed to its user. */
  private final List<String> stops = new CopyOnWriteArrayList<>();

  Camera(String device) {
    this.device = device;
  }

  List<String> stops() {
    return stops;
  }

  void live(Nomad user, AtomicBoolean enough) {
    for (var i = 0; !enough.get(); i++) {
      var session = "{\"session_id\":\"s-" + i + "\"}";
      var started = user.post(at(""), session, Map.of());
      if (started.statusCode() != 201 && started.statusCode() != 200) {
        user.fail("a start", started);
      }
      for (var beat = 0; beat < 3; beat++) {
        var heard = user.post(at("/heartbeat"), session, Map.of());
        if (heard.statusCode() != 204) {
          user.fail("a heartbeat", heard);
        }
      }
      var stopped = user.post(at("/stop"), session, Map.of());
      var command = COMMAND.matcher(stopped.body());
      if (stopped.statusCode() != 200 || !command.find()) {
        user.fail("a stop", stopped);
      } else {
        stops.add(command.group(1));
      }
      Patience.pause(50);
    }
  }

  /** One command for each session that was stopped, and each is there. */
  void assertNoStopLost(ServiceProcess replica) {
    assertThat(stops).isNotEmpty().doesNotHaveDuplicates();
    assertThat(stops)
        .allSatisfy(
            id ->
                assertThat(Device.get(replica, "/v1/commands/" + id))
                    .contains("\"device_id\":\"" + device + "\"", "\"type\":\"stop_stream\""));
  }

  private String at(String call) {
    return "/v1/devices/" + device + "/live" + call;
  }
}
