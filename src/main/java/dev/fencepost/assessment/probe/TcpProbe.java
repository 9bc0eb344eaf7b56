package dev.fencepost.assessment.probe;

import dev.fencepost.platform.outgoing.ForbiddenAddress;
import dev.fencepost.platform.outgoing.OutgoingTcp;
import dev.fencepost.platform.outgoing.Unreachable;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.time.Duration;

/** Online means: someone answered the SYN, be it with a refusal. */
@ApplicationScoped
class TcpProbe {

  private static final String METHOD = "tcp";

  private final OutgoingTcp tcp;
  private final Entropy entropy;

  TcpProbe(OutgoingTcp tcp, Entropy entropy) {
    this.tcp = tcp;
    this.entropy = entropy;
  }

  Uni<Online> probe(URI address, Duration timeout) {
    return Uni.createFrom().deferred(() -> connect(address, timeout, new Stopwatch(entropy)));
  }

  private Uni<Online> connect(URI address, Duration timeout, Stopwatch watch) {
    var what = METHOD + " " + port(address);
    return tcp.connect(address, timeout)
        .map(connected -> watch.saw(true, METHOD, what + " connected"))
        .onFailure(Unreachable.class)
        .recoverWithUni(e -> NoAnswerMeans.judge(e, METHOD, what, timeout, watch))
        .onFailure(ForbiddenAddress.class)
        .transform(e -> new ProbeFailed(e.detail()));
  }

  // URI knows no port in tcp://cam_1:554, where the host is no host name by its book.
  private static String port(URI address) {
    var authority = String.valueOf(address.getRawAuthority());
    return authority.substring(authority.lastIndexOf(':') + 1);
  }
}
