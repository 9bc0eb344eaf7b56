package dev.fencepost.assessment.probe;

import dev.fencepost.kernel.fence.Effect;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/** Picks the probe that an address names by its scheme. */
@ApplicationScoped
class Probes implements OnlineProbe {

  private final TcpProbe tcp;
  private final HttpProbe http;
  private final HeartbeatProbe heartbeat;

  Probes(TcpProbe tcp, HttpProbe http, HeartbeatProbe heartbeat) {
    this.tcp = tcp;
    this.http = http;
    this.heartbeat = heartbeat;
  }

  @Override
  public Uni<Online> probe(URI address, String assetId, Effect effect, Duration timeout) {
    var scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "tcp" -> tcp.probe(address, timeout);
      case "http", "https" -> http.probe(address, effect, timeout);
      case "heartbeat" -> heartbeat.probe(assetId, timeout);
      default ->
          Uni.createFrom().failure(new ProbeFailed("no probe for the scheme '" + scheme + "'"));
    };
  }
}
