package dev.fencepost.assessment;

import dev.fencepost.asset.AssetStore;
import dev.fencepost.kernel.fence.LeaseKeeper;
import dev.fencepost.kernel.fence.LeaseLost;
import dev.fencepost.platform.redis.RedisUnavailable;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * Assesses an asset: online check and vulnerability query, threat intelligence and risk decision,
 * notification. Starting and resuming are the same road: each part skips what the ticket knows.
 */
@ApplicationScoped
class AssessAsset {

  /** How soon, how late and how often a holder looks whether Redis is back: about 30 s in all. */
  private static final Duration FIRST_LOOK = Duration.ofMillis(100);

  private static final Duration LAST_LOOK = Duration.ofSeconds(5);
  private static final int LOOKS = 10;

  private final AssetStore assets;
  private final ObserveAsset observe;
  private final JudgeRisk judge;
  private final NotifyPeople notify;
  private final Setback setback;
  private final TicketStore tickets;
  private final LeaseKeeper keeper;

  AssessAsset(
      AssetStore assets,
      ObserveAsset observe,
      JudgeRisk judge,
      NotifyPeople notify,
      Setback setback,
      TicketStore tickets,
      LeaseKeeper keeper) {
    this.assets = assets;
    this.observe = observe;
    this.judge = judge;
    this.notify = notify;
    this.setback = setback;
    this.tickets = tickets;
    this.keeper = keeper;
  }

  /**
   * Runs a ticket as far as it will go under the lease it was granted.
   *
   * @return the ticket as this run leaves it: ended, or due again later; fails with {@link
   *     LeaseLost} when another holder has it, and with {@code RedisUnavailable} when its fate is
   *     left to the sweeper
   */
  Uni<Ticket> run(Run run) {
    return keeper
        .whileHeld(run.lease(), assess(run))
        .onFailure(LeaseLost.class)
        .call(lost -> confess(run, lost))
        .onFailure(RedisUnavailable.class)
        .call(away -> letGoWhenBack(run))
        .map(Run::ticket);
  }

  private Uni<Run> assess(Run run) {
    return setback.isSpent(run)
        ? setback.end(run)
        : subject(run)
            .flatMap(subject -> carryOn(run, subject))
            .onFailure(StepFailed.class)
            .recoverWithUni(failed -> setback.record(failed));
  }

  private Uni<Run> carryOn(Run run, Subject subject) {
    return run.status() == TicketStatus.NOTIFYING
        ? notify.tellAgain(run, subject.asset())
        : observe
            .observe(run, subject)
            .flatMap(observed -> judge.judge(observed, subject))
            .flatMap(judged -> notify.tell(judged, subject.asset()));
  }

  private Uni<Subject> subject(Run run) {
    var assetId = run.ticket().assetId();
    return StepFailed.guard(
        run,
        Step.ONLINE_CHECK,
        assets
            .find(assetId, Subject::new)
            .map(
                found ->
                    found.orElseThrow(
                        () ->
                            StepFailed.because(run, Step.ONLINE_CHECK, "the asset was deleted"))));
  }

  /**
   * A holder that lost Redis lets go of its ticket when Redis is back soon: it is alive, and the
   * ticket need not wait for its lease. If Redis stays away, the lease runs out.
   */
  private Uni<Recorded> letGoWhenBack(Run run) {
    return tickets
        .letGo(run, run.ticket().progress().left("Redis did not answer"))
        .onFailure(RedisUnavailable.class)
        .retry()
        .withBackOff(FIRST_LOOK, LAST_LOOK)
        .atMost(LOOKS)
        .onFailure(RedisUnavailable.class)
        .recoverWithNull();
  }

  /**
   * A holder whose loss Redis has not heard of shows its right once more. If that is outdated, the
   * refusal is counted; if not (it was taken for hung, or the process ends), the ticket is given
   * back at once.
   */
  private Uni<Recorded> confess(Run run, LeaseLost lost) {
    var progress = run.ticket().progress();
    return switch (lost.cause()) {
      case REFUSED -> Uni.createFrom().nullItem();
      case NOTICED -> tickets.letGo(run, progress.left(String.valueOf(lost.getMessage())));
      case HANDED_OVER -> tickets.letGo(run, progress.uncounted());
    };
  }
}
