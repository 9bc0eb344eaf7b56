package dev.fencepost.packaging;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.fencepost.platform.http.OptionalBody;
import dev.fencepost.platform.http.ProblemType;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.OutboundSseEvent;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which of our types Jackson meets, read out of the byte code. A native binary can only reflect on
 * what was registered when it was built: Quarkus finds the types in signatures of resources, the
 * others must be named.
 */
final class JsonTypes {

  private static final String OURS = "dev.fencepost";

  private static final Set<Class<?>> MAPPERS =
      Set.of(ObjectMapper.class, ObjectReader.class, ObjectWriter.class, OptionalBody.class);

  private static final Pattern READS =
      Pattern.compile("readValues?|treeToValue|convertValue|forType|read");
  private static final Pattern WRITES = Pattern.compile("writeValue.*|valueToTree");

  /** Records that are put together beside JSON, and never become it. */
  private static final Set<String> NEVER_JSON =
      Set.of(
          "dev.fencepost.assessment.Facts",
          "dev.fencepost.assessment.Progress",
          "dev.fencepost.assessment.Ticket",
          "dev.fencepost.asset.Component",
          "dev.fencepost.asset.Purl",
          "dev.fencepost.asset.SourcePackage",
          "dev.fencepost.kernel.audit.AuditEvent",
          "dev.fencepost.kernel.audit.Origin",
          "dev.fencepost.kernel.idempotency.StoredAnswer",
          "dev.fencepost.kernel.identity.grant.GiveTokens$Next",
          "dev.fencepost.kernel.identity.grant.RefreshToken",
          "dev.fencepost.kernel.identity.token.AccessToken");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPath(java.nio.file.Path.of("target", "classes"));

  private JsonTypes() {}

  /**
   * Types that code hands to a mapper or a response itself: those that a class names which reads
   * JSON, and those that a class makes which writes it.
   */
  static Set<Class<?>> handled() {
    var types = new HashSet<Class<?>>();
    CLASSES.stream()
        .flatMap(JsonTypes::mentioned)
        .filter(type -> !NEVER_JSON.contains(type.getName()))
        .forEach(type -> addWithParts(type, types));
    CLASSES.stream()
        .filter(JsonTypes::tellsEvents)
        .map(JavaClass::reflect)
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> OutboundSseEvent.class.isAssignableFrom(method.getReturnType()))
        .flatMap(JsonTypes::signature)
        .forEach(type -> addWithParts(type, types));
    return types;
  }

  /** Types in the signatures of endpoints, and all that those consist of. */
  static Set<Class<?>> inSignatures() {
    var types = new HashSet<Class<?>>();
    resources()
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .flatMap(JsonTypes::signature)
        .forEach(type -> addWithParts(type, types));
    return types;
  }

  /** Resources, whose methods filters look up by name to read what is written on them. */
  static Stream<Class<?>> resources() {
    return CLASSES.stream()
        .filter(type -> type.isAnnotatedWith(Path.class))
        .map(JavaClass::reflect);
  }

  /** Types that are registered by name. */
  static Set<Class<?>> named() {
    return CLASSES.stream()
        .filter(type -> type.isAnnotatedWith(RegisterForReflection.class))
        .map(JavaClass::reflect)
        .flatMap(
            type -> {
              var targets = type.getAnnotation(RegisterForReflection.class).targets();
              return targets.length == 0 ? Stream.of(type) : Arrays.stream(targets);
            })
        .collect(Collectors.toSet());
  }

  /** Whether it calls a method that binds JSON to types; reading tokens and trees binds nothing. */
  private static boolean binds(JavaClass type, Pattern method) {
    return type.getMethodCallsFromSelf().stream()
        .map(JavaAccess::getTarget)
        .filter(target -> MAPPERS.stream().anyMatch(target.getOwner()::isAssignableTo))
        .anyMatch(target -> method.matcher(target.getName()).matches());
  }

  private static boolean answers(JavaClass type) {
    return type.getMethodCallsFromSelf().stream()
        .map(JavaAccess::getTarget)
        .anyMatch(
            target ->
                target.getName().equals("entity")
                    && target.getOwner().isEquivalentTo(Response.ResponseBuilder.class));
  }

  /** Whether it sends events: Quarkus does not look for types in what they carry. */
  private static boolean tellsEvents(JavaClass type) {
    return type.getMethodCallsFromSelf().stream()
        .map(JavaAccess::getTarget)
        .anyMatch(
            target ->
                target.getName().equals("data")
                    && target.getOwner().isEquivalentTo(OutboundSseEvent.Builder.class));
  }

  private static Stream<Class<?>> mentioned(JavaClass type) {
    return Stream.concat(
        binds(type, READS) ? Stream.concat(named(type), references(type)) : Stream.of(),
        binds(type, WRITES) || answers(type) ? made(type) : Stream.of());
  }

  private static Stream<Class<?>> named(JavaClass type) {
    return type.getReferencedClassObjects().stream()
        .map(object -> object.getRawType())
        .filter(JsonTypes::isOurData)
        .map(JavaClass::reflect);
  }

  private static Stream<Class<?>> references(JavaClass type) {
    return CLASSES.stream()
        .filter(inner -> inner.getName().startsWith(type.getName() + "$"))
        .filter(inner -> inner.isAssignableTo(TypeReference.class))
        .map(inner -> inner.reflect().getGenericSuperclass())
        .flatMap(JsonTypes::raw);
  }

  private static Stream<Class<?>> made(JavaClass type) {
    return type.getAccessesFromSelf().stream()
        .map(JavaAccess::getTarget)
        .filter(target -> target.getName().equals("<init>") || target.getName().equals("of"))
        .map(target -> target.getOwner())
        .filter(JsonTypes::isOurData)
        .map(JavaClass::reflect);
  }

  private static boolean isOurData(JavaClass type) {
    return type.getPackageName().startsWith(OURS)
        && (type.isRecord() || type.isEnum())
        && !type.isEquivalentTo(ProblemType.class);
  }

  private static Stream<Class<?>> signature(Method method) {
    return Stream.concat(
            Stream.of(method.getGenericReturnType()),
            Arrays.stream(method.getGenericParameterTypes()))
        .flatMap(JsonTypes::raw);
  }

  private static void addWithParts(Class<?> type, Set<Class<?>> types) {
    if (!type.getName().startsWith(OURS) || !(type.isRecord() || type.isEnum())) {
      return;
    }
    if (types.add(type) && type.isRecord()) {
      Arrays.stream(type.getRecordComponents())
          .map(RecordComponent::getGenericType)
          .flatMap(JsonTypes::raw)
          .forEach(part -> addWithParts(part, types));
    }
  }

  private static Stream<Class<?>> raw(Type type) {
    if (type instanceof Class<?> plain) {
      return Stream.of(plain.isArray() ? plain.getComponentType() : plain);
    }
    if (type instanceof ParameterizedType generic) {
      return Stream.concat(
          raw(generic.getRawType()),
          Arrays.stream(generic.getActualTypeArguments()).flatMap(JsonTypes::raw));
    }
    return type instanceof WildcardType wild
        ? Arrays.stream(wild.getUpperBounds()).flatMap(JsonTypes::raw)
        : Stream.of();
  }
}
