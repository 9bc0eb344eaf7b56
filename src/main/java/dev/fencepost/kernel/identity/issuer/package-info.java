/** Tokens of other issuers. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.identity.issuer;
