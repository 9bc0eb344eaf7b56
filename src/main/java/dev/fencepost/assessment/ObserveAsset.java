package dev.fencepost.assessment;

import static dev.fencepost.assessment.TicketStatus.ASSET_OFFLINE;
import static dev.fencepost.assessment.TicketStatus.ASSET_ONLINE;
import static dev.fencepost.assessment.TicketStatus.FINISHED;
import static dev.fencepost.assessment.TicketStatus.INIT;
import static dev.fencepost.assessment.TicketStatus.VULN_CHECK_DONE;

import dev.fencepost.assessment.advisory.AdvisorySource;
import dev.fencepost.assessment.advisory.Matches;
import dev.fencepost.assessment.probe.Online;
import dev.fencepost.assessment.probe.OnlineProbe;
import dev.fencepost.assessment.risk.Verdict;
import dev.fencepost.asset.Inventory;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first two steps: is it online, and which flaws does it have? Neither changes anything outside
 * and neither needs the other, so they start together; their facts are recorded in order, and an
 * offline answer cancels the query.
 */
@ApplicationScoped
class ObserveAsset {

  private final OnlineProbe probe;
  private final AdvisorySource advisories;
  private final TicketStore tickets;
  private final StepSettings steps;
  private final WatchSteps watch;

  ObserveAsset(
      OnlineProbe probe,
      AdvisorySource advisories,
      TicketStore tickets,
      StepSettings steps,
      WatchSteps watch) {
    this.probe = probe;
    this.advisories = advisories;
    this.tickets = tickets;
    this.steps = steps;
    this.watch = watch;
  }

  Uni<Run> observe(Run run, Subject subject) {
    return switch (run.status()) {
      case INIT -> both(run, subject);
      case ASSET_ONLINE -> query(run, subject).flatMap(matches -> recordMatches(run, matches));
      case ASSET_OFFLINE -> close(run);
      default -> Uni.createFrom().item(run);
    };
  }

  private Uni<Run> both(Run run, Subject subject) {
    return Uni.combine()
        .all()
        .unis(online(run, subject), outcome(query(run, subject)))
        .asTuple()
        .flatMap(both -> afterBoth(both.getItem1(), both.getItem2()))
        .onFailure(Offline.class)
        .recoverWithUni(offline -> close(offline.run));
  }

  private Uni<Run> afterBoth(Run recorded, Outcome outcome) {
    return matches(outcome, recorded).flatMap(matches -> recordMatches(recorded, matches));
  }

  private Uni<Run> online(Run run, Subject subject) {
    var effect = run.effect(Step.ONLINE_CHECK.name());
    var limit = steps.online();
    var answer = probe.probe(subject.asset().address(), run.ticket().assetId(), effect, limit);
    return watch
        .watch(run, Step.ONLINE_CHECK, answer)
        .flatMap(online -> recordOnline(run, online))
        .invoke(
            recorded -> {
              if (recorded.status() == ASSET_OFFLINE) {
                throw new Offline(recorded);
              }
            });
  }

  private Uni<Run> recordOnline(Run run, Online online) {
    var to = online.reachable() ? ASSET_ONLINE : ASSET_OFFLINE;
    var next =
        run.ticket()
            .with(
                run.ticket().progress().moved(to, Step.ONLINE_CHECK),
                run.ticket().facts().with(online));
    return tickets.record(run, next, List.of(INIT, to), Then.KEEP);
  }

  private Uni<Matches> query(Run run, Subject subject) {
    var effect = run.effect(Step.VULNERABILITY_QUERY.name());
    var components = subject.inventory().map(Inventory::components).orElse(List.of());
    return watch.watch(
        run,
        Step.VULNERABILITY_QUERY,
        advisories.match(components, effect).ifNoItem().after(steps.vulnerability()).fail());
  }

  private Uni<Run> recordMatches(Run run, Matches matches) {
    var next =
        run.ticket()
            .with(
                run.ticket().progress().moved(VULN_CHECK_DONE, Step.VULNERABILITY_QUERY),
                run.ticket().facts().with(matches.findings(), matches.unevaluated()));
    return tickets.record(run, next, List.of(run.status(), VULN_CHECK_DONE), Then.KEEP);
  }

  /** Not assessed, and said so; nobody is alarmed. */
  private Uni<Run> close(Run run) {
    var next =
        run.ticket()
            .with(
                run.ticket().progress().moved(FINISHED, Step.RISK_DECISION),
                run.ticket().facts().with(Verdict.offline()));
    return tickets.record(run, next, List.of(ASSET_OFFLINE, FINISHED), Then.END);
  }

  /** Holds a failed query back until the online check is recorded: facts come in order. */
  private static Uni<Outcome> outcome(Uni<Matches> query) {
    return query.onItemOrFailure().transform(Outcome::new);
  }

  private static Uni<Matches> matches(Outcome outcome, Run recorded) {
    return outcome.found() != null
        ? Uni.createFrom().item(outcome.found())
        : Uni.createFrom()
            .failure(
                outcome.failure() instanceof StepFailed failed
                    ? failed.at(recorded)
                    : outcome.failure());
  }

  private record Outcome(@Nullable Matches found, @Nullable Throwable failure) {}

  /** Cancels the query that runs beside the online check. */
  private static final class Offline extends RuntimeException {

    private final transient Run run;

    Offline(Run run) {
      super("offline", null, false, false);
      this.run = run;
    }
  }
}
