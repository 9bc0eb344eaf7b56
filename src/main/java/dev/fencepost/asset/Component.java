package dev.fencepost.asset;

import org.jspecify.annotations.Nullable;

/**
 * One piece of software on an asset.
 *
 * @param source where the SBOM says which source package this binary package was built from
 */
public record Component(Purl purl, @Nullable SourcePackage source) {}
