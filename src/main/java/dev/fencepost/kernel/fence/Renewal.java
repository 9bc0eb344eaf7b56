package dev.fencepost.kernel.fence;

/** What {@code fence/renew.lua} may answer for one lease. */
enum Renewal {
  RENEWED,
  LOST
}
