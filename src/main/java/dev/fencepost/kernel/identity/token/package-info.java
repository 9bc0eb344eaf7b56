/** Access tokens: keys, signing, verification. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.identity.token;
