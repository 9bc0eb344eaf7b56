package dev.fencepost.asset;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Enum values as JSON and the tables spell them: in lower case. */
final class EnumWord {

  private EnumWord() {}

  static @Nullable String of(@Nullable Enum<?> value) {
    return value == null ? null : value.name().toLowerCase(Locale.ROOT);
  }

  static <E extends Enum<E>> Optional<E> read(Class<E> type, String word) {
    return Arrays.stream(type.getEnumConstants())
        .filter(value -> word.equals(of(value)))
        .findFirst();
  }

  static <E extends Enum<E>> String all(Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(EnumWord::of)
        .collect(Collectors.joining(", "));
  }
}
