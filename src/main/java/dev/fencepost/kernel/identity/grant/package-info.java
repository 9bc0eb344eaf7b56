/** How tokens are got, renewed and given back: OAuth 2. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.identity.grant;
