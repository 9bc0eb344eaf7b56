package dev.fencepost.assessment.advisory;

import java.util.List;

/** What one advisory says of one version. */
sealed interface Judgement {

  /**
   * The version is affected.
   *
   * @param fixes the versions that end the intervals it lies in, lowest first
   */
  record IsAffected(List<String> fixes) implements Judgement {}

  /** The version is not affected. */
  record NotAffected() implements Judgement {}

  /** There is no answer, which is not the same as not affected. */
  record CannotTell(String reason) implements Judgement {}
}
