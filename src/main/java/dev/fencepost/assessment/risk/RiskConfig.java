package dev.fencepost.assessment.risk;

import dev.fencepost.asset.Criticality;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The numbers of the decision table; {@link Thresholds} checks them. */
@ConfigMapping(prefix = "fencepost.risk")
interface RiskConfig {

  /** A CVSS score from which a flaw is a high risk by itself; CVSS calls this "critical". */
  @WithDefault("9.0")
  double cvssCritical();

  /** A CVSS score from which a flaw is a high risk if anything else speaks for it. */
  @WithDefault("7.0")
  double cvssHigh();

  /** A probability of exploitation within 30 days that speaks for a high risk. */
  @WithDefault("0.10")
  double epss();

  /** The least criticality of an asset that speaks for a high risk. */
  @WithDefault("high")
  Criticality criticality();

  /** More are counted, not written out: people and chat robots read the first few. */
  @WithDefault("10")
  int maxReasons();
}
