package dev.fencepost.assessment.risk;

import org.jspecify.annotations.Nullable;

/**
 * What a verdict rests on. What is absent was not asked, could not be had, or does not say.
 *
 * @param advisorySource absent if the asset was not assessed
 */
public record Evidence(
    @Nullable String advisorySource,
    @Nullable String kevCatalogVersion,
    @Nullable String epssDate) {

  private static final Evidence NONE = new Evidence(null, null, null);

  /** The evidence of a verdict about which nobody was asked. */
  public static Evidence none() {
    return NONE;
  }
}
