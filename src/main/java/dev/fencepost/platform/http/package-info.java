/** What every HTTP answer has in common: problems, JSON shape, limits. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.http;
