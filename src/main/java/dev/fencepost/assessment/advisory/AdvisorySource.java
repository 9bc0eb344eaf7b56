package dev.fencepost.assessment.advisory;

import dev.fencepost.asset.Component;
import dev.fencepost.kernel.fence.Effect;
import io.smallrye.mutiny.Uni;
import java.util.List;

/** Where advisories come from. Asking changes nothing, so it may be repeated. */
public interface AdvisorySource {

  /**
   * Matches components against advisories.
   *
   * @param effect identifies the query to a source that is asked over the network
   * @return findings without threat intelligence yet; fails with {@link AdvisoriesUnavailable} when
   *     the source could not be asked: a source that fails is never "clean"
   */
  Uni<Matches> match(List<Component> components, Effect effect);
}
