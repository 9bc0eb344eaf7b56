package dev.fencepost.assessment.notification;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Map;
import java.util.Optional;

/** Whom to tell of high risk. */
@ConfigMapping(prefix = "fencepost.notify")
public interface NotifyConfig {

  Map<String, ChannelConfig> channels();

  /** One channel. */
  interface ChannelConfig {

    /** {@code webhook}, {@code wecom}, {@code dingtalk}, {@code feishu} or {@code slack}. */
    String type();

    /** A text, not a URI, because a failed conversion would print this credential. */
    String url();

    Optional<String> secret();

    /** {@code always} or {@code never}. */
    @WithDefault("always")
    String resend();
  }
}
