/**
 * The bad day, on purpose: real processes of the packaged service against one real Redis and one
 * real PostgreSQL, killed, stopped, cut off and resumed, and a checker that reads afterwards what
 * became of it. See {@code docs/chaos.md}.
 */
package dev.fencepost.chaos;
