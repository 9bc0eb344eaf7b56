package dev.fencepost.assessment.notification;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.KnownExploited;
import dev.fencepost.assessment.advisory.Severity;
import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.kernel.fence.FencingToken;
import java.time.Instant;
import java.util.List;

/** Alarms to tell of. */
final class Alarms {

  static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

  static final Effect EFFECT =
      new Effect(
          "5-01jdtest:ops",
          new FencingToken(1796071234567890L),
          "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

  static final Finding LOG4SHELL =
      new Finding(
          "GHSA-jfh8-c2jp-5v3q",
          List.of("CVE-2021-44228"),
          List.of(),
          "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1",
          Severity.CRITICAL,
          10.0,
          "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H",
          List.of("2.15.0"),
          List.of(),
          KnownExploited.YES,
          0.97);

  private Alarms() {}

  static Alarm high() {
    return of(Alarm.Level.HIGH, "Front door", List.of(LOG4SHELL));
  }

  static Alarm of(Alarm.Level level, String displayName, List<Finding> findings) {
    return new Alarm(
        "5-01jdtest",
        "cam-01",
        displayName,
        level,
        List.of("a finding is known exploited"),
        findings,
        NOW.minusSeconds(3));
  }

  static Finding scored(String id, double score) {
    return new Finding(
        id,
        List.of(),
        List.of(),
        "pkg:npm/left@1.0.0",
        Severity.HIGH,
        score,
        null,
        List.of(),
        List.of(),
        KnownExploited.NO,
        null);
  }
}
