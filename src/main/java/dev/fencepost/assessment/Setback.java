package dev.fencepost.assessment;

import static dev.fencepost.assessment.TicketStatus.FAILED;

import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.kernel.audit.Mask;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What becomes of a ticket whose step failed: due again later, or FAILED when enough was tried. */
@ApplicationScoped
class Setback {

  private static final int LARGEST_DOUBLING = 30;

  private final TicketStore tickets;
  private final AssessmentSettings settings;
  private final Entropy entropy;
  private final Mask mask;

  Setback(TicketStore tickets, AssessmentSettings settings, Entropy entropy, Mask mask) {
    this.mask = mask;
    this.tickets = tickets;
    this.settings = settings;
    this.entropy = entropy;
  }

  /** Whether a ticket killed too many holders in a row, or was taken up too often, to go on. */
  boolean isSpent(Run run) {
    return isPoison(run) || run.ticket().progress().attempts() > settings.maxAttempts();
  }

  private boolean isPoison(Run run) {
    return run.deaths() >= settings.poisonAfter();
  }

  /** Ends a spent ticket before it does more harm. */
  Uni<Run> end(Run run) {
    var reason =
        isPoison(run)
            ? "poison: %d holders in a row died over it".formatted(run.deaths())
            : "attempts used up";
    return fail(run, nextStep(run.ticket()), reason);
  }

  /** Records a failed step, and lets go of the ticket. */
  Uni<Run> record(StepFailed failed) {
    var run = failed.run();
    if (failed.notBefore().isPresent() && sends(run.ticket()) < settings.maxWaits()) {
      var delay = failed.notBefore().get();
      return comeBack(run, setBack(run, failed, delay).uncounted(), delay);
    }
    if (run.ticket().progress().attempts() >= settings.maxAttempts()) {
      return fail(run, failed.step(), mask.text(failed.reason()));
    }
    var delay = pause(run.ticket().progress().attempts());
    return comeBack(run, setBack(run, failed, delay), delay);
  }

  private Progress setBack(Run run, StepFailed failed, Duration delay) {
    return run.ticket()
        .progress()
        .setBack(failed.step(), mask.text(failed.reason()), entropy.now().plus(delay));
  }

  private Uni<Run> comeBack(Run run, Progress next, Duration delay) {
    return tickets.record(
        run, run.ticket().with(next), List.of(run.status()), Then.returnAfter(delay));
  }

  private Uni<Run> fail(Run run, Step step, String reason) {
    var next = run.ticket().with(run.ticket().progress().failed(step, reason));
    return tickets.record(run, next, List.of(run.status(), FAILED), Then.END);
  }

  /** Exponential, with full jitter: a herd of failures does not come back as a herd. */
  private Duration pause(int attempts) {
    var doubled = settings.backoff().multipliedBy(1L << Math.min(attempts - 1, LARGEST_DOUBLING));
    var ceiling = doubled.compareTo(settings.maxBackoff()) < 0 ? doubled : settings.maxBackoff();
    return Duration.ofMillis((long) (ceiling.toMillis() * entropy.fraction()));
  }

  private static int sends(Ticket ticket) {
    return ticket.facts().notifications().stream().mapToInt(Notification::sends).max().orElse(0);
  }

  private static Step nextStep(Ticket ticket) {
    return Arrays.stream(Step.values())
        .filter(step -> !ticket.progress().completedSteps().contains(step))
        .findFirst()
        .orElse(Step.NOTIFICATION);
  }
}
