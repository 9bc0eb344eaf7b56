package dev.fencepost.asset;

import dev.fencepost.platform.http.Refused;
import java.util.regex.Pattern;

/** What an asset may be called. */
public final class AssetId {

  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}");

  private AssetId() {}

  public static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }

  public static String require(String text) {
    if (!isValid(text)) {
      throw Refused.field("asset_id", "must match " + FORM.pattern());
    }
    return text;
  }
}
