/** What every store in PostgreSQL has in common. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.postgres;
