package dev.fencepost.architecture;

import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.STATIC;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvent;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.Cancellable;

/** The architecture, as rules. Each names the harm it prevents. */
final class Rules {

  private static final String ROOT = "dev.fencepost";

  static final ArchRule DEPENDENCIES_POINT_DOWNWARDS =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .optionalLayer("assessment")
          .definedBy(ROOT + ".assessment..")
          .optionalLayer("live")
          .definedBy(ROOT + ".live..")
          .optionalLayer("asset")
          .definedBy(ROOT + ".asset..")
          .optionalLayer("command")
          .definedBy(ROOT + ".command..")
          .layer("kernel")
          .definedBy(ROOT + ".kernel..")
          .layer("platform")
          .definedBy(ROOT + ".platform..")
          .whereLayer("assessment")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("live")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("asset")
          .mayOnlyBeAccessedByLayers("assessment")
          .whereLayer("command")
          .mayOnlyBeAccessedByLayers("live")
          .whereLayer("kernel")
          .mayOnlyBeAccessedByLayers("assessment", "live", "asset", "command")
          .because("features stand on the kernel and the kernel on the platform");

  static final ArchRule NO_PACKAGE_CYCLES =
      slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  static final ArchRule FACTS_ARE_PURE =
      noClasses()
          .that()
          .areRecords()
          .or()
          .areEnums()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.quarkus..", "io.vertx..", "io.smallrye.mutiny..", "jakarta..")
          .because(
              "records and enums hold facts; a fact that needs a framework cannot be tested in a microsecond");

  static final ArchRule NOBODY_AWAITS =
      noClasses()
          .that(runAfterStartUp())
          .should(
              touch(
                  "wait for a Uni",
                  Map.of(
                      "io.smallrye.mutiny.Uni", Set.of("await"),
                      "io.smallrye.mutiny.Multi", Set.of("await"),
                      "java.util.concurrent.CompletableFuture", Set.of("join", "get"),
                      "java.lang.Thread", Set.of("sleep"))));

  static final ArchRule NOBODY_SUBSCRIBES =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ROOT + ".platform.lifecycle.InFlight")
          .should(
              touch(
                  "subscribe by hand",
                  Map.of(
                      "io.smallrye.mutiny.Uni", Set.of("subscribe", "subscribeAsCompletionStage"),
                      "io.smallrye.mutiny.Multi", Set.of("subscribe"))));

  static final ArchRule NOBODY_RECOVERS_FROM_EVERYTHING =
      noClasses()
          .should(
              new ArchCondition<JavaClass>("call the untyped Uni.onFailure()") {
                @Override
                public void check(JavaClass javaClass, ConditionEvents events) {
                  accesses(javaClass)
                      .filter(a -> a.getTargetOwner().getName().equals(Uni.class.getName()))
                      .filter(a -> a.getTarget().getName().equals("onFailure"))
                      .filter(a -> a.getTarget().getRawParameterTypes().isEmpty())
                      .forEach(a -> events.add(satisfied(a)));
                }
              });

  static final ArchRule TIME_AND_CHANCE_HAVE_ONE_DOOR =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".platform.time..")
          .should(
              touch(
                  "read a clock or draw at random",
                  Map.of(
                      "java.time.Instant", Set.of("now"),
                      "java.time.LocalDateTime", Set.of("now"),
                      "java.time.OffsetDateTime", Set.of("now"),
                      "java.time.ZonedDateTime", Set.of("now"),
                      "java.time.Clock", Set.of("systemUTC", "systemDefaultZone"),
                      "java.lang.System", Set.of("currentTimeMillis", "nanoTime"),
                      "java.util.UUID", Set.of("randomUUID"),
                      "java.lang.Math", Set.of("random"),
                      "java.util.Random", Set.of("<init>"),
                      "java.util.concurrent.ThreadLocalRandom", Set.of("current"))));

  static final ArchRule NO_MUTABLE_STATICS =
      fields()
          .that()
          .haveModifier(STATIC)
          .and()
          .doNotHaveModifier(SYNTHETIC)
          .should()
          .haveModifier(FINAL);

  static final ArchRule NAMES_SAY_WHAT_NOT_WHERE =
      noClasses()
          .should()
          .haveNameMatching(
              ".*(Impl|Manager|Helper|Util|Utils|Service|Dto|DTO|VO|Base|Common)(\\$.*)?");

  static final ArchRule SCHEDULED_WORK_IS_REACTIVE =
      methods().that().areAnnotatedWith(Scheduled.class).should().haveRawReturnType(Uni.class);

  static final ArchRule ONLY_RESOURCES_SPEAK_HTTP =
      classes()
          .that()
          .areAnnotatedWith("jakarta.ws.rs.Path")
          .should()
          .haveSimpleNameEndingWith("Resource")
          .andShould()
          .bePackagePrivate();

  static final ArchRule WORK_OUTLIVES_ITS_CLIENT =
      methods()
          .that()
          .areAnnotatedWith(POST.class)
          .should(
              new ArchCondition<JavaMethod>("be @Cancellable(false), or their class") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                  var said =
                      method
                          .tryGetAnnotationOfType(Cancellable.class)
                          .or(() -> method.getOwner().tryGetAnnotationOfType(Cancellable.class));
                  if (said.map(Cancellable::value).orElse(true)) {
                    events.add(SimpleConditionEvent.violated(method, method.getDescription()));
                  }
                }
              })
          .because("a client that goes away must find its answer when it asks again");

  static final ArchRule ONLY_STORES_REACH_REDIS =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT + ".platform..", ROOT + ".kernel..")
          .and()
          .haveSimpleNameNotEndingWith("Store")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName(ROOT + ".platform.redis.RedisRoad")
          .because("a write that goes around its store goes around its fence");

  private Rules() {}

  /** Waiting is for start and stop: before traffic comes, and after it has gone. */
  private static DescribedPredicate<JavaClass> runAfterStartUp() {
    return DescribedPredicate.describe(
        "run after start-up",
        type ->
            !type.getName().equals(ROOT + ".platform.lifecycle.StartUp")
                && !type.getName().equals(ROOT + ".Fencepost")
                && !type.getPackageName().equals(ROOT + ".platform.embedded"));
  }

  /**
   * Looks at calls and at method references: {@code callMethod} alone misses {@code Instant::now}.
   */
  private static ArchCondition<JavaClass> touch(String what, Map<String, Set<String>> forbidden) {
    return new ArchCondition<>(what) {
      @Override
      public void check(JavaClass javaClass, ConditionEvents events) {
        accesses(javaClass)
            .filter(
                a ->
                    forbidden
                        .getOrDefault(a.getTargetOwner().getName(), Set.of())
                        .contains(a.getTarget().getName()))
            .forEach(a -> events.add(satisfied(a)));
      }
    };
  }

  private static ConditionEvent satisfied(JavaCodeUnitAccess<?> access) {
    return SimpleConditionEvent.satisfied(access, access.getDescription());
  }

  private static Stream<JavaCodeUnitAccess<?>> accesses(JavaClass javaClass) {
    return javaClass.getCodeUnits().stream()
        .flatMap(
            unit ->
                Stream.<Stream<? extends JavaCodeUnitAccess<?>>>of(
                        unit.getCallsFromSelf().stream().map(c -> (JavaCodeUnitAccess<?>) c),
                        unit.getMethodReferencesFromSelf().stream(),
                        unit.getConstructorReferencesFromSelf().stream())
                    .flatMap(s -> s));
  }
}
