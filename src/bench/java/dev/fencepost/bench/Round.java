package dev.fencepost.bench;

/**
 * What one turn of one side achieved.
 *
 * @param p50 of one operation, in milliseconds
 */
record Round(long operations, double seconds, double p50, double p99) {

  double perSecond() {
    return operations / seconds;
  }
}
