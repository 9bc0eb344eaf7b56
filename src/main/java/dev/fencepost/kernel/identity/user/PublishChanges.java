package dev.fencepost.kernel.identity.user;

import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.redis.RedisUnavailable;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/**
 * Tells replicas of changes whose author could not: it died, or Redis was away. Safe on every
 * replica at once, because an older standing never replaces a newer one.
 */
@ApplicationScoped
class PublishChanges {

  private static final Logger LOG = Logger.getLogger(PublishChanges.class);

  private final UserStore users;

  PublishChanges(UserStore users) {
    this.users = users;
  }

  @Scheduled(
      every = "${fencepost.identity.publish-every:1s}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> publish() {
    return users
        .unpublished()
        .flatMap(
            ids ->
                Multi.createFrom()
                    .iterable(ids)
                    .onItem()
                    .transformToUniAndConcatenate(users::publish)
                    .collect()
                    .last())
        .replaceWithVoid()
        .onFailure(failure -> failure instanceof RedisUnavailable || failure instanceof Refused)
        .recoverWithUni(
            away -> {
              LOG.debugf("changes of users are published later: %s", away.getMessage());
              return Uni.createFrom().voidItem();
            });
  }
}
