/**
 * Where the embedded Redis and PostgreSQL plug in. The stores themselves are not part of a native
 * build.
 */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.embedded;
