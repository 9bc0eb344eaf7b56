package dev.fencepost.assessment;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.Unevaluated;
import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.assessment.probe.Online;
import dev.fencepost.assessment.risk.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an assessment has found out so far. Empty lists are empty, never absent. */
record Facts(
    @Nullable Online online,
    List<Finding> findings,
    List<Unevaluated> unevaluated,
    @Nullable Verdict verdict,
    List<Notification> notifications) {

  static final Facts NONE = new Facts(null, List.of(), List.of(), null, List.of());

  Facts {
    findings = List.copyOf(findings);
    unevaluated = List.copyOf(unevaluated);
    notifications = List.copyOf(notifications);
  }

  Facts with(Online checked) {
    return new Facts(checked, findings, unevaluated, verdict, notifications);
  }

  Facts with(List<Finding> found, List<Unevaluated> unjudged) {
    return new Facts(online, found, unjudged, verdict, notifications);
  }

  Facts with(Verdict decided) {
    return new Facts(online, findings, unevaluated, decided, notifications);
  }

  Facts withNotifications(List<Notification> told) {
    return new Facts(online, findings, unevaluated, verdict, told);
  }
}
