package dev.fencepost.assessment.advisory;

/** The text is no OSV record; the message says where it departs from the schema. */
final class BrokenRecord extends Exception {

  BrokenRecord(String message) {
    super(message, null, false, false);
  }
}
