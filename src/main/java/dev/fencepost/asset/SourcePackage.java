package dev.fencepost.asset;

/**
 * The source package a distribution built a binary package from. Debian advisories speak of source
 * packages only.
 *
 * @param version with epoch and revision, e.g. {@code 1:2.4.47-2}
 */
public record SourcePackage(String name, String version) {}
