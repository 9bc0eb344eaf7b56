/** What devices are told to do, until they have answered or it is given up. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.command;
