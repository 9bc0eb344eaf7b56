package dev.fencepost.platform.http;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.TimeZone;

/**
 * The JSON of this service: {@code snake_case}, times in RFC 3339 UTC with milliseconds, nulls
 * written, unknown and doubled fields refused, no silent conversion between types.
 */
@Singleton
public class JsonShape implements ObjectMapperCustomizer {

  private static final String PATTERN = "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'";
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern(PATTERN).withZone(ZoneOffset.UTC);

  @Override
  public void customize(ObjectMapper mapper) {
    apply(mapper);
  }

  /** Gives a mapper this shape; for tests and for values kept as opaque JSON. */
  public static ObjectMapper apply(ObjectMapper mapper) {
    mapper.setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    mapper.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    mapper.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    mapper.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    mapper.getFactory().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION.mappedFeature());
    forbid(mapper, LogicalType.Textual, CoercionInputShape.Integer);
    forbid(mapper, LogicalType.Textual, CoercionInputShape.Float);
    forbid(mapper, LogicalType.Textual, CoercionInputShape.Boolean);
    forbid(mapper, LogicalType.Boolean, CoercionInputShape.String);
    forbid(mapper, LogicalType.Boolean, CoercionInputShape.Integer);
    forbid(mapper, LogicalType.Integer, CoercionInputShape.String);
    forbid(mapper, LogicalType.Integer, CoercionInputShape.Float);
    forbid(mapper, LogicalType.Enum, CoercionInputShape.Integer);
    mapper
        .configOverride(Instant.class)
        .setFormat(JsonFormat.Value.forPattern(PATTERN).withTimeZone(TimeZone.getTimeZone("UTC")));
    return mapper;
  }

  private static void forbid(ObjectMapper mapper, LogicalType target, CoercionInputShape from) {
    mapper.coercionConfigFor(target).setCoercion(from, CoercionAction.Fail);
  }

  /** A time as the contract writes it, e.g. {@code 2026-11-30T08:15:00.000Z}. */
  public static String text(Instant time) {
    return MILLIS.format(time);
  }
}
