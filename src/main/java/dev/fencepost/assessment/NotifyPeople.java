package dev.fencepost.assessment;

import static dev.fencepost.assessment.TicketStatus.FAILED;
import static dev.fencepost.assessment.TicketStatus.FINISHED;
import static dev.fencepost.assessment.TicketStatus.NOTIFIED;
import static dev.fencepost.assessment.TicketStatus.NOTIFYING;

import dev.fencepost.assessment.notification.Alarm;
import dev.fencepost.assessment.notification.Channels;
import dev.fencepost.assessment.notification.Delivery;
import dev.fencepost.assessment.notification.DeliveryState;
import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.assessment.risk.RiskLevel;
import dev.fencepost.assessment.risk.Verdict;
import dev.fencepost.asset.Asset;
import dev.fencepost.kernel.audit.Mask;
import dev.fencepost.kernel.fence.LeaseKeeper;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The last step: tells every channel that does not know yet, all at once, and records what came of
 * it. A channel is NOTIFYING in the ticket before its request leaves.
 */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class NotifyPeople {

  private final Channels channels;
  private final TicketStore tickets;
  private final LeaseKeeper keeper;
  private final StepSettings steps;
  private final WatchSteps watch;
  private final Mask mask;
  private final MeterRegistry metrics;

  NotifyPeople(
      Channels channels,
      TicketStore tickets,
      LeaseKeeper keeper,
      StepSettings steps,
      WatchSteps watch,
      Mask mask,
      MeterRegistry metrics) {
    this.channels = channels;
    this.tickets = tickets;
    this.keeper = keeper;
    this.steps = steps;
    this.watch = watch;
    this.mask = mask;
    this.metrics = metrics;
    for (var channel : channels.all()) {
      for (var state : DeliveryState.values()) {
        deliveries(channel.name(), state);
      }
    }
  }

  /** Tells the channels that the decision of this very run has just written down. */
  Uni<Run> tell(Run run, Asset asset) {
    return run.status() == NOTIFYING
        ? send(run, firstTellings(run), asset)
        : Uni.createFrom().item(run);
  }

  private List<Telling> firstTellings(Run run) {
    return run.ticket().facts().notifications().stream()
        .map(intended -> Telling.first(intended, channels.resendPolicyOf(intended.channel())))
        .toList();
  }

  /** Goes on where an earlier holder stopped: what it was sending may or may not have arrived. */
  Uni<Run> tellAgain(Run run, Asset asset) {
    var tellings =
        run.ticket().facts().notifications().stream()
            .map(known -> Telling.again(known, channels.resendPolicyOf(known.channel())))
            .toList();
    return recordStates(run, tellings.stream().map(Telling::notification).toList())
        .flatMap(intended -> send(intended, tellings, asset));
  }

  private Uni<Run> send(Run run, List<Telling> tellings, Asset asset) {
    var alarm = alarm(run.ticket(), asset);
    var sends = tellings.stream().map(telling -> send(run, telling, alarm)).toList();
    return sends.isEmpty()
        ? settle(run, List.of())
        : watch
            .watch(run, Step.NOTIFICATION, Uni.join().all(sends).andFailFast())
            .flatMap(told -> settle(run, told));
  }

  private Uni<Telling> send(Run run, Telling telling, Alarm alarm) {
    if (telling.notification().state() != DeliveryState.NOTIFYING) {
      return Uni.createFrom().item(telling);
    }
    var channel = channels.named(telling.notification().channel());
    if (channel.isEmpty()) {
      return Uni.createFrom()
          .item(telling.after(new Delivery.Permanent("the channel is not configured any more")));
    }
    var effect = run.effect(channel.get().name());
    return keeper
        .assureTimeFor(run.lease(), steps.notification())
        .flatMap(
            sure -> channel.get().send(alarm, effect, telling.mayRepeat(), steps.notification()))
        .map(telling::after)
        .map(told -> told.saying(mask::text))
        .invoke(this::count);
  }

  private void count(Telling told) {
    var known = told.notification();
    deliveries(known.channel(), known.state()).increment();
  }

  private Counter deliveries(String channel, DeliveryState state) {
    var word = state.name().toLowerCase(Locale.ROOT);
    return metrics.counter("fencepost.channel.deliveries", "channel", channel, "state", word);
  }

  private Uni<Run> settle(Run run, List<Telling> told) {
    var states = told.stream().map(Telling::notification).toList();
    if (told.stream().anyMatch(Telling::isOpen)) {
      return recordStates(run, states).map(recorded -> throwOpen(recorded, told));
    }
    var someoneKnows = states.stream().anyMatch(n -> n.state() == DeliveryState.NOTIFIED);
    return someoneKnows ? finish(run, states) : fail(run, states);
  }

  private Uni<Run> recordStates(Run run, List<Notification> states) {
    var next =
        run.ticket().with(run.ticket().progress(), run.ticket().facts().withNotifications(states));
    return tickets.record(run, next, List.of(NOTIFYING), Then.KEEP);
  }

  private Uni<Run> finish(Run run, List<Notification> states) {
    var next =
        run.ticket()
            .with(
                run.ticket().progress().moved(FINISHED, Step.NOTIFICATION),
                run.ticket().facts().withNotifications(states));
    return tickets.record(run, next, List.of(NOTIFYING, NOTIFIED, FINISHED), Then.END);
  }

  private Uni<Run> fail(Run run, List<Notification> states) {
    var next =
        run.ticket()
            .with(
                run.ticket().progress().failed(Step.NOTIFICATION, "nobody is known to be told"),
                run.ticket().facts().withNotifications(states));
    return tickets.record(run, next, List.of(NOTIFYING, FAILED), Then.END);
  }

  /** The longest wait that a channel asked for; without one, it counts as a failed attempt. */
  private static Run throwOpen(Run run, List<Telling> told) {
    var reasons = told.stream().filter(Telling::isOpen).map(Telling::describe).toList();
    var wait = told.stream().map(Telling::notBefore).max(Duration::compareTo).orElse(Duration.ZERO);
    var reason = String.join("; ", reasons);
    throw wait.isZero()
        ? StepFailed.because(run, Step.NOTIFICATION, reason)
        : StepFailed.notBefore(run, Step.NOTIFICATION, reason, wait);
  }

  private static Alarm alarm(Ticket ticket, Asset asset) {
    var verdict =
        Objects.requireNonNull(ticket.facts().verdict(), "a ticket is judged before it is told of");
    return new Alarm(
        ticket.ticketId(),
        ticket.assetId(),
        asset.displayName(),
        level(verdict),
        verdict.reasons(),
        ticket.facts().findings(),
        ticket.createdAt());
  }

  private static Alarm.Level level(Verdict verdict) {
    return verdict.level() == RiskLevel.HIGH ? Alarm.Level.HIGH : Alarm.Level.UNKNOWN;
  }
}
