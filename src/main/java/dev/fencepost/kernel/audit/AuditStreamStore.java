package dev.fencepost.kernel.audit;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.platform.redis.RedisRoad;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Appends events from outside scripts to the streams that scripts append theirs to. */
@ApplicationScoped
class AuditStreamStore {

  private final RedisRoad redis;
  private final AuditSettings settings;

  AuditStreamStore(RedisRoad redis, AuditSettings settings) {
    this.redis = redis;
    this.settings = settings;
  }

  /** Appends one after the other: the order is part of what is recorded. */
  Uni<Void> appendAll(List<SpooledEvent> events) {
    return Multi.createFrom()
        .iterable(events)
        .onItem()
        .transformToUniAndConcatenate(event -> redis.send(appended(event)))
        .onItem()
        .ignoreAsUni();
  }

  private Request appended(SpooledEvent event) {
    var request =
        Request.cmd(Command.XADD)
            .arg(new Lane(event.lane()).key("audit", "events"))
            .arg("MAXLEN")
            .arg("~")
            .arg(settings.backlog())
            .arg("*");
    event.fields().forEach((name, value) -> request.arg(name).arg(value));
    return request;
  }
}
