package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.Target.Judgeable;
import dev.fencepost.assessment.advisory.Target.NotJudgeable;
import dev.fencepost.assessment.advisory.version.VersionOrders;
import dev.fencepost.asset.Component;
import dev.fencepost.asset.Purl;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names components as advisories do, by the purl mapping of osv.dev. */
final class Targets {

  static final String BINARY_NAME_NOTE = "binary package name used as source name";

  private static final Pattern GO_VERSION_PREFIX = Pattern.compile("^(?:v|go)(?=\\d)");
  private static final Pattern GO_MODULE_IN_PURL = Pattern.compile("^pkg:/*golang/([^@?#]+)");

  private Targets() {}

  static Target of(Component component) {
    var purl = component.purl();
    return switch (purl.type()) {
      case "maven", "gradle" -> maven(purl);
      case "npm" -> target("npm", slashed(purl), purl.version());
      case "pypi" -> target("PyPI", purl.name(), purl.version());
      case "cargo" -> target("crates.io", purl.name(), purl.version());
      case "golang" -> go(purl);
      case "deb" -> debian(component);
      default -> new NotJudgeable("ecosystem " + purl.type() + " is not supported");
    };
  }

  private static Target maven(Purl purl) {
    return purl.namespace() == null
        ? new NotJudgeable("a Maven package needs a group")
        : target("Maven", purl.namespace() + ":" + purl.name(), purl.version());
  }

  /** OSV writes Go versions without the {@code v}, and the standard library as a module. */
  private static Target go(Purl purl) {
    var version = purl.version();
    return target(
        "Go",
        goModule(purl),
        version == null ? null : GO_VERSION_PREFIX.matcher(version).replaceFirst(""));
  }

  /** The purl library lower-cases Go names; the OSV API wants them as they are. */
  private static String goModule(Purl purl) {
    var written = GO_MODULE_IN_PURL.matcher(purl.text());
    var module =
        written.find()
            ? URLDecoder.decode(written.group(1).replace("+", "%2B"), StandardCharsets.UTF_8)
            : slashed(purl);
    if (module.equals("std")) {
      return "stdlib"; // as cyclonedx-gomod names it
    }
    return purl.subpath() == null ? module : module + "/" + purl.subpath();
  }

  private static Target debian(Component component) {
    var purl = component.purl();
    if (!"debian".equals(purl.namespace())) {
      return new NotJudgeable("ecosystem deb/" + purl.namespace() + " is not supported");
    }
    var distro = purl.qualifiers().get("distro");
    if (distro == null) {
      return new NotJudgeable("no distro qualifier says which Debian release this is from");
    }
    return DebianRelease.of(distro)
        .map(release -> debian(component, release.ecosystem()))
        .orElseGet(() -> new NotJudgeable("Debian release " + distro + " is not known"));
  }

  /** Debian's advisories speak of source packages, SBOMs list binary ones. */
  private static Target debian(Component component, String ecosystem) {
    var source = component.source();
    return source == null
        ? target(
            ecosystem,
            component.purl().name(),
            withEpoch(component.purl()),
            List.of(BINARY_NAME_NOTE))
        : target(ecosystem, source.name(), source.version());
  }

  private static @Nullable String withEpoch(Purl purl) {
    var epoch = purl.qualifiers().get("epoch");
    var version = purl.version();
    return version == null || epoch == null || version.contains(":")
        ? version
        : epoch + ":" + version;
  }

  private static String slashed(Purl purl) {
    return purl.namespace() == null ? purl.name() : purl.namespace() + "/" + purl.name();
  }

  private static Target target(String ecosystem, String name, @Nullable String version) {
    return target(ecosystem, name, version, List.of());
  }

  private static Target target(
      String ecosystem, String name, @Nullable String version, List<String> notes) {
    if (version == null || version.isBlank()) {
      return new NotJudgeable("no version");
    }
    var key = new PackageKey(ecosystem, name);
    return VersionOrders.of(ecosystem)
        .<Target>map(order -> Judgeable.of(key, name, version, order, notes))
        .orElseGet(() -> new NotJudgeable("ecosystem " + ecosystem + " is not supported"));
  }
}
