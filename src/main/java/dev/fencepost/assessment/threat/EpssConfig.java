package dev.fencepost.assessment.threat;

import io.smallrye.config.ConfigMapping;

/** Where FIRST's scores come from. */
@ConfigMapping(prefix = "fencepost.epss")
interface EpssConfig extends FeedConfig {}
