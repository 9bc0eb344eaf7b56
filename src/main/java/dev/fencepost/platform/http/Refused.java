package dev.fencepost.platform.http;

import java.util.List;

/**
 * An expected "no". It is not a bug, so it carries no stack trace and is never logged as an error.
 */
public final class Refused extends RuntimeException {

  /**
   * What is wrong with one field.
   *
   * @param field its JSON path, e.g. {@code labels.site}
   */
  public record FieldError(String field, String message) {}

  private final ProblemType type;
  private final String detail;
  private final transient List<FieldError> errors;

  public Refused(ProblemType type, String detail) {
    this(type, detail, List.of());
  }

  public Refused(ProblemType type, String detail, List<FieldError> errors) {
    super(detail, null, false, false);
    this.type = type;
    this.detail = detail;
    this.errors = List.copyOf(errors);
  }

  /** The usual shape of bad input: one field, and what is wrong with it. */
  public static Refused field(String field, String message) {
    return new Refused(
        ProblemType.VALIDATION_FAILED,
        field + " " + message,
        List.of(new FieldError(field, message)));
  }

  public ProblemType type() {
    return type;
  }

  public String detail() {
    return detail;
  }

  public List<FieldError> errors() {
    return errors;
  }
}
