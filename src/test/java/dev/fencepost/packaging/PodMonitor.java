package dev.fencepost.packaging;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/** How Prometheus' operator is told of pods, as far as the manifests use it. */
@Group("monitoring.coreos.com")
@Version("v1")
final class PodMonitor extends CustomResource<PodMonitor.Spec, Void> {

  private static final long serialVersionUID = 1;

  /**
   * Which pods, and where they are asked.
   *
   * @param jobLabel the label of the pods whose value becomes the job
   */
  record Spec(String jobLabel, LabelSelector selector, List<Endpoint> podMetricsEndpoints) {}

  /**
   * One port of a pod.
   *
   * @param port by its name
   */
  record Endpoint(String port, String path, String interval) {}

  /** It has no state without values. */
  @Override
  protected Spec initSpec() {
    return null;
  }
}
