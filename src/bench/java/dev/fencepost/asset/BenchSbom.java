package dev.fencepost.asset;

import java.util.List;

/** Opens the door to the SBOM reader for measurements. */
public final class BenchSbom {

  private static final int MANY = 50_000;

  private BenchSbom() {}

  public static List<Component> components(byte[] cycloneDx) {
    return CycloneDx.read(cycloneDx, MANY).components();
  }
}
