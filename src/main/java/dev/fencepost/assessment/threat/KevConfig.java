package dev.fencepost.assessment.threat;

import io.smallrye.config.ConfigMapping;

/** Where CISA's catalogue comes from. */
@ConfigMapping(prefix = "fencepost.kev")
interface KevConfig extends FeedConfig {}
