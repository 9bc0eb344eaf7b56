package dev.fencepost.assessment.advisory.version;

import static java.util.Objects.requireNonNullElse;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Go modules and the Go toolchain, as SemVer. {@code v} and {@code go} are dropped, a missing minor
 * or patch is 0, {@code +incompatible} is build metadata, pseudo-versions are the pre-releases they
 * look like, and the toolchain's {@code 1.22rc1} is {@code 1.22.0-rc.1}.
 */
final class GoOrder implements VersionOrder {

  private static final Shape SHAPE =
      new Shape(
          Pattern.compile(
              ("(?:v|go)?(?<major>%1$s)(?:\\.(?<minor>%1$s))?(?:\\.(?<patch>%1$s))?"
                      + "(?:(?<phase>alpha|beta|rc)(?<number>%1$s)"
                      + "|(?:-(?<pre>%2$s))?(?:\\+%3$s)?)")
                  .formatted(SemVerOrder.NUMBER, SemVerOrder.PRE_RELEASE, SemVerOrder.BUILD)),
          "a Go version");

  @Override
  public Version parse(String text) {
    var parts = SHAPE.match(text);
    var core =
        List.of(
            parts.group("major"),
            requireNonNullElse(parts.group("minor"), "0"),
            requireNonNullElse(parts.group("patch"), "0"));
    return SemVerOrder.SemVer.of(core, preRelease(parts));
  }

  private static @Nullable String preRelease(Matcher parts) {
    var phase = parts.group("phase");
    return phase == null ? parts.group("pre") : phase + "." + parts.group("number");
  }
}
