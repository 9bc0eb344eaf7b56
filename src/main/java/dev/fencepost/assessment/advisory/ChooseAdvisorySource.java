package dev.fencepost.assessment.advisory;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;

/** Gives those who ask for advisories the source that the configuration names. */
@ApplicationScoped
class ChooseAdvisorySource {

  @Produces
  @ApplicationScoped
  AdvisorySource source(AdvisorySettings settings, LocalAdvisories local, OsvApi osvApi) {
    return switch (settings.source()) {
      case LOCAL -> local;
      case OSV_API -> osvApi;
    };
  }
}
