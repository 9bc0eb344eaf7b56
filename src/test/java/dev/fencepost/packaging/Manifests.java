package dev.fencepost.packaging;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** Kubernetes objects, read so strictly that a misspelt field is an error. */
record Manifests(List<HasMetadata> objects) {

  private static final Map<String, Class<? extends HasMetadata>> MODEL =
      Map.of(
          "v1/Namespace", Namespace.class,
          "v1/PersistentVolumeClaim", PersistentVolumeClaim.class,
          "v1/ServiceAccount", ServiceAccount.class,
          "v1/Service", Service.class,
          "v1/ConfigMap", ConfigMap.class,
          "apps/v1/Deployment", Deployment.class,
          "autoscaling/v2/HorizontalPodAutoscaler", HorizontalPodAutoscaler.class,
          "policy/v1/PodDisruptionBudget", PodDisruptionBudget.class,
          "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
          "monitoring.coreos.com/v1/PodMonitor", PodMonitor.class);

  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .setAnnotationIntrospector(new NothingExtra());

  static Manifests parse(String text) {
    var objects = new ArrayList<HasMetadata>();
    for (var document : new Yaml().loadAll(text)) {
      objects.add(parse((Map<?, ?>) document));
    }
    return new Manifests(List.copyOf(objects));
  }

  static Manifests read(Path file) {
    try {
      return parse(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  <T extends HasMetadata> List<T> all(Class<T> type) {
    return objects.stream().filter(type::isInstance).map(type::cast).toList();
  }

  <T extends HasMetadata> T one(Class<T> type, String name) {
    return all(type).stream()
        .filter(object -> object.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + type.getSimpleName() + " " + name));
  }

  private static HasMetadata parse(Map<?, ?> document) {
    var kind = document.get("apiVersion") + "/" + document.get("kind");
    var type = MODEL.get(kind);
    if (type == null) {
      throw new AssertionError(kind + " is not among " + MODEL.keySet());
    }
    return STRICT.convertValue(document, type);
  }

  /** The model keeps unknown fields aside; here they are refused. */
  private static final class NothingExtra extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }
  }
}
