package dev.fencepost.assessment;

import static dev.fencepost.assessment.TicketStatus.FINISHED;
import static dev.fencepost.assessment.TicketStatus.HIGH_RISK_FOUND;
import static dev.fencepost.assessment.TicketStatus.NOTIFYING;
import static dev.fencepost.assessment.TicketStatus.VULN_CHECK_DONE;

import dev.fencepost.assessment.notification.Channels;
import dev.fencepost.assessment.notification.DeliveryState;
import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.assessment.risk.RiskLevel;
import dev.fencepost.assessment.risk.RiskPolicy;
import dev.fencepost.assessment.risk.Verdict;
import dev.fencepost.assessment.threat.Enriched;
import dev.fencepost.assessment.threat.ThreatIntelligence;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The next two steps: what is known of the flaws' exploitation, and is that a high risk? Whoever is
 * to be told is written down in the same script, before anyone is told.
 */
@ApplicationScoped
class JudgeRisk {

  private final ThreatIntelligence threats;
  private final RiskPolicy policy;
  private final Channels channels;
  private final TicketStore tickets;
  private final StepSettings steps;
  private final WatchSteps watch;
  private final String advisorySource;

  JudgeRisk(
      ThreatIntelligence threats,
      RiskPolicy policy,
      Channels channels,
      TicketStore tickets,
      StepSettings steps,
      WatchSteps watch,
      @ConfigProperty(name = "fencepost.advisories.source", defaultValue = "local")
          String advisorySource) {
    this.threats = threats;
    this.policy = policy;
    this.channels = channels;
    this.tickets = tickets;
    this.steps = steps;
    this.watch = watch;
    this.advisorySource = advisorySource;
  }

  Uni<Run> judge(Run run, Subject subject) {
    return run.status() == VULN_CHECK_DONE
        ? watch
            .watch(
                run,
                Step.THREAT_INTELLIGENCE,
                threats
                    .enrich(run.ticket().facts().findings())
                    .ifNoItem()
                    .after(steps.threat())
                    .fail())
            .flatMap(enriched -> record(run, enriched, verdict(enriched, subject)))
        : Uni.createFrom().item(run);
  }

  private Verdict verdict(Enriched enriched, Subject subject) {
    return subject.inventory().isEmpty()
        ? Verdict.notAssessed("no inventory has been reported")
        : policy.decide(
            enriched, subject.asset().exposure(), subject.asset().criticality(), advisorySource);
  }

  private Uni<Run> record(Run run, Enriched enriched, Verdict verdict) {
    var path = path(verdict);
    var last = path.get(path.size() - 1);
    var known = run.ticket().facts();
    var facts = known.with(enriched.findings(), known.unevaluated()).with(verdict);
    var next =
        run.ticket()
            .with(
                run.ticket().progress().moved(last, Step.THREAT_INTELLIGENCE, Step.RISK_DECISION),
                last == NOTIFYING ? facts.withNotifications(toBeTold(run)) : facts);
    return tickets.record(run, next, path, last == FINISHED ? Then.END : Then.KEEP);
  }

  private static List<TicketStatus> path(Verdict verdict) {
    if (!verdict.alarms()) {
      return List.of(VULN_CHECK_DONE, FINISHED);
    }
    return verdict.level() == RiskLevel.HIGH
        ? List.of(VULN_CHECK_DONE, HIGH_RISK_FOUND, NOTIFYING)
        : List.of(VULN_CHECK_DONE, NOTIFYING);
  }

  private List<Notification> toBeTold(Run run) {
    return channels.all().stream()
        .map(
            channel ->
                new Notification(
                    channel.name(),
                    DeliveryState.NOTIFYING,
                    1,
                    run.ticket().ticketId() + ":" + channel.name(),
                    null))
        .toList();
  }
}
