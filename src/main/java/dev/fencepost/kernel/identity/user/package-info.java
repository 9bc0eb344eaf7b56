/** Users, their passwords, and what replicas know of them. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.identity.user;
