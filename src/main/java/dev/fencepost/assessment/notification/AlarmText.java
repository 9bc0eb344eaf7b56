package dev.fencepost.assessment.notification;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.KnownExploited;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The words of an alarm, for every channel. What identifies it comes first, because long texts are
 * cut at their end. Plain text: each channel escapes what its own markup would read.
 */
record AlarmText(String title, List<String> lines) {

  /** More would not be read in a chat, and the ticket has them all. */
  private static final int MOST_FINDINGS = 10;

  private static final Pattern NOT_IN_A_LINE =
      Pattern.compile("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\p{Cf}]+");

  private static final Comparator<Finding> WORST_FIRST =
      Comparator.comparing((Finding finding) -> finding.knownExploited() == KnownExploited.YES)
          .thenComparing(Finding::severity)
          .thenComparing(Finding::cvssScore, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(Finding::epss, Comparator.nullsFirst(Comparator.naturalOrder()))
          .reversed();

  AlarmText {
    lines = List.copyOf(lines);
  }

  static AlarmText of(Alarm alarm, boolean mayRepeat) {
    var lines = new ArrayList<String>();
    lines.add("Message " + alarm.ticketId() + ", opened " + alarm.createdAt());
    if (mayRepeat) {
      lines.add("May repeat: an earlier message with this number may have arrived.");
    }
    if (alarm.level() == Alarm.Level.UNKNOWN) {
      lines.add("Someone must look: there are findings that could not be scored.");
    }
    alarm.reasons().forEach(reason -> lines.add(oneLine(reason)));
    findings(alarm.findings()).forEach(lines::add);
    return new AlarmText(title(alarm), lines);
  }

  /** Title and lines as one text. */
  String text() {
    return title + "\n" + String.join("\n", lines);
  }

  // The name of the sender is in it because robots may be set to take only texts with a keyword.
  private static String title(Alarm alarm) {
    var asset =
        alarm.displayName() == null
            ? alarm.assetId()
            : alarm.assetId() + " (" + oneLine(alarm.displayName()) + ")";
    return switch (alarm.level()) {
      case HIGH -> "Fencepost: high-risk asset " + asset;
      case UNKNOWN -> "Fencepost: asset " + asset + " could not be scored";
      case ALERT -> "Fencepost: alert about " + asset;
    };
  }

  /** The worst of them, worst first. */
  static List<Finding> worst(List<Finding> findings, int most) {
    return findings.stream().sorted(WORST_FIRST).limit(most).toList();
  }

  private static Stream<String> findings(List<Finding> findings) {
    var shown = worst(findings, MOST_FINDINGS).stream().map(AlarmText::line);
    var rest = findings.size() - MOST_FINDINGS;
    return rest > 0 ? Stream.concat(shown, Stream.of("- and " + rest + " more")) : shown;
  }

  private static String line(Finding finding) {
    return oneLine("- " + ids(finding) + " in " + finding.purl() + ": " + facts(finding));
  }

  private static String ids(Finding finding) {
    return finding.aliases().isEmpty()
        ? finding.vulnerabilityId()
        : finding.vulnerabilityId() + " (" + String.join(", ", finding.aliases()) + ")";
  }

  private static String facts(Finding finding) {
    return Stream.of(
            severity(finding),
            exploited(finding.knownExploited()),
            finding.epss() == null ? null : String.format(Locale.ROOT, "EPSS %.2f", finding.epss()),
            finding.fixedVersions().isEmpty()
                ? "no fixed version known"
                : "fixed in " + String.join(", ", finding.fixedVersions()))
        .filter(Objects::nonNull)
        .collect(Collectors.joining(", "));
  }

  private static String severity(Finding finding) {
    return finding.cvssScore() == null
        ? "severity " + finding.severity()
        : String.format(Locale.ROOT, "CVSS %.1f %s", finding.cvssScore(), finding.severity());
  }

  private static @Nullable String exploited(KnownExploited known) {
    return switch (known) {
      case YES -> "known exploited";
      case UNKNOWN -> "exploitation could not be checked";
      case NO -> null;
    };
  }

  // Names and reasons come from tenants: a line break in one would forge a line of ours.
  private static String oneLine(String text) {
    return NOT_IN_A_LINE.matcher(text).replaceAll(" ");
  }
}
