package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.Target.Judgeable;

/** One question to the OSV API: what is known of a package in a version. */
record OsvQuery(String ecosystem, String name, String version) {

  static OsvQuery of(Judgeable target) {
    return new OsvQuery(target.key().ecosystem(), target.spelling(), target.version());
  }
}
