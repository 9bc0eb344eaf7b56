package dev.fencepost.assessment.notification;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.notification.Delivery.Delivered;
import dev.fencepost.assessment.notification.Delivery.Permanent;
import dev.fencepost.assessment.notification.Delivery.RetryLater;
import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A receiver of Standard Webhooks: a CloudEvent 1.0 in structured mode, signed if a secret is set.
 * A receiver recognises a repeat by {@code webhook-id}, so its HTTP status decides, and what is
 * neither success nor final is repeated.
 */
final class StandardWebhook implements Dialect {

  /** What a receiver can do something with; the ticket has the rest. */
  private static final int MOST_FINDINGS = 100;

  private static final String SECRET_PREFIX = "whsec_";
  private static final String SOURCE = "/fencepost/assessments";
  private static final int GONE = 410;

  private final URI url;
  private final List<byte[]> keys;

  private final RateBudget budget = RateBudget.unlimited();

  /**
   * Reads the secret: {@code whsec_<base64>}; several, separated by blanks, while keys rotate.
   *
   * @throws IllegalArgumentException if it is not base64; the message does not show it
   */
  StandardWebhook(Credentials credentials) {
    this.url = credentials.url();
    this.keys =
        credentials.secret().stream()
            .flatMap(secrets -> Stream.of(secrets.strip().split("\\s+")))
            .map(StandardWebhook::key)
            .toList();
  }

  private static byte[] key(String secret) {
    var base64 =
        secret.startsWith(SECRET_PREFIX) ? secret.substring(SECRET_PREFIX.length()) : secret;
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      // Its cause would quote a character of the secret.
      throw new IllegalArgumentException("must be whsec_ and base64");
    }
  }

  @Override
  public Message message(Alarm alarm, Effect effect, boolean mayRepeat, Instant now) {
    var body = Json.bytes(event(alarm, effect, mayRepeat));
    var seconds = Long.toString(now.getEpochSecond());
    var headers = new HashMap<String, String>();
    headers.put("Content-Type", "application/cloudevents+json; charset=UTF-8");
    headers.put("webhook-id", effect.id());
    headers.put("webhook-timestamp", seconds);
    if (!keys.isEmpty()) {
      headers.put("webhook-signature", signature(effect.id(), seconds, body));
    }
    return new Message(url, headers, body);
  }

  private String signature(String id, String seconds, byte[] body) {
    return keys.stream()
        .map(key -> Signatures.standardWebhook(key, id, seconds, body))
        .collect(Collectors.joining(" "));
  }

  private static ObjectNode event(Alarm alarm, Effect effect, boolean mayRepeat) {
    var level = alarm.level().name();
    var event =
        Json.object()
            .put("specversion", "1.0")
            .put("id", effect.id())
            .put("source", SOURCE)
            .put("type", type(alarm))
            .put("subject", subject(alarm))
            .put("time", alarm.createdAt().toString())
            .put("datacontenttype", "application/json");
    var data =
        event
            .putObject("data")
            .put("ticket_id", alarm.ticketId())
            .put("asset_id", alarm.assetId())
            .put("display_name", alarm.displayName())
            .put("level", level)
            .put("may_repeat", mayRepeat)
            .put("text", AlarmText.of(alarm, mayRepeat).text());
    alarm.reasons().forEach(data.putArray("reasons")::add);
    data.put("finding_count", alarm.findings().size());
    var findings = data.putArray("findings");
    AlarmText.worst(alarm.findings(), MOST_FINDINGS).forEach(finding -> add(findings, finding));
    return event;
  }

  private static String type(Alarm alarm) {
    return switch (alarm.level()) {
      case HIGH -> "dev.fencepost.asset.risk.high.v1";
      case UNKNOWN -> "dev.fencepost.asset.risk.unknown.v1";
      case ALERT -> "dev.fencepost.audit.alert.v1";
    };
  }

  private static String subject(Alarm alarm) {
    return (alarm.level() == Alarm.Level.ALERT ? "audit/" : "asset/") + alarm.assetId();
  }

  private static void add(ArrayNode findings, Finding finding) {
    var node = findings.addObject().put("vulnerability_id", finding.vulnerabilityId());
    finding.aliases().forEach(node.putArray("aliases")::add);
    node.put("purl", finding.purl())
        .put("severity", finding.severity().name())
        .put("cvss_score", finding.cvssScore())
        .put("cvss_vector", finding.cvssVector());
    finding.fixedVersions().forEach(node.putArray("fixed_versions")::add);
    node.put("known_exploited", finding.knownExploited().name().toLowerCase(Locale.ROOT))
        .put("epss", finding.epss());
  }

  @Override
  public Delivery read(Answer answer, Instant now) {
    if (Verdicts.isSuccess(answer)) {
      return new Delivered();
    }
    if (answer.status() == GONE) {
      return new Permanent("http 410: the receiver wants no more");
    }
    return Verdicts.byStatus(answer, now) instanceof RetryLater later
        ? later
        : otherwise(answer, now);
  }

  // Receivers answer 401 or 404 while they are being deployed; only 3xx is certain not to mend.
  private static Delivery otherwise(Answer answer, Instant now) {
    return answer.status() / 100 == 4
        ? new RetryLater(
            "http " + answer.status(), RetryAfter.of(answer, now).orElse(Duration.ZERO))
        : Verdicts.byStatus(answer, now);
  }

  @Override
  public RateBudget budget() {
    return budget;
  }
}
