package dev.fencepost.asset;

import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.http.Refused.FieldError;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An asset as a client describes it: nothing here is valid yet. */
record AssetRequest(
    @Nullable String displayName,
    @Nullable String address,
    @Nullable String exposure,
    @Nullable String criticality,
    @Nullable Map<String, @Nullable String> labels) {

  private static final Pattern DISPLAY_NAME = Pattern.compile("[^\\p{Cc}\\p{Cs}]{1,200}");
  private static final int MAX_LABELS = 64;

  /**
   * The asset this describes.
   *
   * @throws Refused naming every field that is wrong, not only the first
   */
  Asset toAsset(String assetId, Instant now) {
    var errors = new ArrayList<FieldError>();
    if (displayName != null && !DISPLAY_NAME.matcher(displayName).matches()) {
      errors.add(
          new FieldError(
              "display_name", "must have 1 to 200 characters, none of them a control one"));
    }
    var validAddress = address(errors);
    var validExposure = word("exposure", exposure, Exposure.class, errors);
    var validCriticality = word("criticality", criticality, Criticality.class, errors);
    var validLabels = labels(errors);
    if (validAddress == null || !errors.isEmpty()) {
      throw new Refused(ProblemType.VALIDATION_FAILED, inWords(errors), errors);
    }
    return new Asset(
        assetId,
        displayName,
        validAddress,
        validExposure == null ? Exposure.UNKNOWN : validExposure,
        validCriticality,
        validLabels,
        now,
        now);
  }

  private @Nullable URI address(List<FieldError> errors) {
    if (address == null) {
      errors.add(new FieldError("address", "is required"));
      return null;
    }
    try {
      return AssetAddress.read(address);
    } catch (AssetAddress.Malformed e) {
      errors.add(new FieldError("address", e.reason()));
      return null;
    }
  }

  private Map<String, String> labels(List<FieldError> errors) {
    if (labels == null) {
      return Map.of();
    }
    if (labels.size() > MAX_LABELS) {
      errors.add(new FieldError("labels", "must be at most " + MAX_LABELS));
      return Map.of();
    }
    var valid = new HashMap<String, String>();
    labels.forEach(
        (key, value) -> {
          if (!Label.isKey(key)) {
            errors.add(new FieldError("labels", "has a key that " + Label.KEY_RULE));
          } else if (value == null || !Label.isValue(value)) {
            errors.add(new FieldError("labels." + key, Label.VALUE_RULE));
          } else {
            valid.put(key, value);
          }
        });
    return valid;
  }

  private static <E extends Enum<E>> @Nullable E word(
      String field, @Nullable String text, Class<E> type, List<FieldError> errors) {
    if (text == null) {
      return null;
    }
    var value = EnumWord.read(type, text);
    if (value.isEmpty()) {
      errors.add(new FieldError(field, "must be one of " + EnumWord.all(type)));
    }
    return value.orElse(null);
  }

  private static String inWords(List<FieldError> errors) {
    return errors.stream()
        .map(error -> error.field() + " " + error.message())
        .collect(Collectors.joining("; "));
  }
}
