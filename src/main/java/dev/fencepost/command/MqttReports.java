package dev.fencepost.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.mqtt.MqttListener;
import dev.fencepost.platform.mqtt.MqttPayload;
import dev.fencepost.platform.mqtt.TopicFilter;
import dev.fencepost.platform.telemetry.LogFacts;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What devices report through the broker. It is the broker's to see who publishes where. */
@ApplicationScoped
class MqttReports implements MqttListener {

  private static final TopicFilter ACKED = new TopicFilter(MqttChannel.topic("+") + "/+/acked");
  private static final TopicFilter APPLIED = new TopicFilter(MqttChannel.topic("+") + "/+/applied");
  private static final int LONGEST_DETAIL = 1000;

  private final ReportCommand reportCommand;
  private final AuditTrail trail;
  private final Lanes lanes;
  private final Entropy entropy;
  private final ObjectMapper json;

  MqttReports(
      ReportCommand reportCommand,
      AuditTrail trail,
      Lanes lanes,
      Entropy entropy,
      ObjectMapper json) {
    this.reportCommand = reportCommand;
    this.trail = trail;
    this.lanes = lanes;
    this.entropy = entropy;
    this.json = json;
  }

  /** The payload of {@code applied}. */
  record Outcome(@Nullable Boolean success, @Nullable String detail) {}

  @Override
  public List<TopicFilter> topics() {
    return List.of(ACKED, APPLIED);
  }

  /** That a device has a command is in the topic; the payload of {@code acked} may be anything. */
  @Override
  public Uni<Void> hear(TopicFilter by, List<String> names, String payload) {
    return by.equals(ACKED)
        ? report(names, Report.ACKED, null)
        : outcome(names, MqttPayload.read(json, payload, Outcome.class));
  }

  @Override
  public LogFacts facts(List<String> names) {
    return lanes.facts(names.get(0));
  }

  private Uni<Void> outcome(List<String> names, Outcome outcome) {
    if (outcome.success == null) {
      throw Refused.field("success", "must be true or false");
    }
    return report(
        names,
        outcome.success ? Report.APPLIED : Report.FAILED,
        outcome.detail == null
            ? null
            : outcome.detail.substring(0, Math.min(outcome.detail.length(), LONGEST_DETAIL)));
  }

  private Uni<Void> report(List<String> names, Report report, @Nullable String detail) {
    var deviceId = Identifier.require("device_id", names.get(0));
    var commandId = names.get(1);
    var origin = origin(deviceId);
    return reportCommand.report(
        commandId,
        report,
        detail,
        origin,
        owner -> {
          if (!owner.equals(deviceId)) {
            trail.append(denied(commandId, deviceId, origin));
            throw new Refused(ProblemType.FORBIDDEN, "the command is another device's");
          }
        });
  }

  private Origin origin(String deviceId) {
    return Origin.ofRequest(
        Trace.fresh(entropy.freshBytes(Trace.SEED_BYTES)), Optional.of(deviceId), null, "mqtt");
  }

  private static AuditEvent denied(String commandId, String deviceId, Origin origin) {
    return new AuditEvent(
        "ACCESS_DENIED",
        "another_device",
        "command",
        commandId,
        origin,
        Map.of("device_id", deviceId));
  }
}
