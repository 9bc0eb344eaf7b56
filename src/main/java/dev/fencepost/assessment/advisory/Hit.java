package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.OsvRecord.Affected;
import dev.fencepost.assessment.advisory.OsvRecord.Rating;
import java.util.List;
import java.util.stream.Stream;

/**
 * A record that affects a component.
 *
 * @param entries the record's entries about the component's package
 * @param fixes versions that end the affected intervals the component lies in, lowest first
 * @param notes what a person should know about how this was judged
 */
record Hit(OsvRecord record, List<Affected> entries, List<String> fixes, List<String> notes) {

  /** The record's ratings; where it has none, those of its entries about this package. */
  Stream<Rating> ratings() {
    return record.severity().isEmpty()
        ? entries.stream().flatMap(entry -> entry.severity().stream())
        : record.severity().stream();
  }
}
