/** Assets and their software inventories: business facts, in PostgreSQL. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.asset;
