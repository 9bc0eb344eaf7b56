package dev.fencepost.assessment.advisory;

import dev.fencepost.asset.Component;
import dev.fencepost.bench.Wiring;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;

/** Opens the door to the advisory index for measurements. */
public final class BenchMatch {

  private final AdvisoryIndex index;

  private BenchMatch(AdvisoryIndex index) {
    this.index = index;
  }

  /** An index of so many records. */
  public static BenchMatch of(Wiring wiring, int count, IntFunction<byte[]> records)
      throws IOException {
    var files =
        new RecordFiles() {
          @Override
          public String fingerprint() {
            return "made";
          }

          @Override
          public void readEach(Reader reader) throws IOException {
            for (var i = 0; i < count; i++) {
              var bytes = records.apply(i);
              reader.read("record " + i, () -> new ByteArrayInputStream(bytes));
            }
          }
        };
    var limits = wiring.get(AdvisorySettings.class).local();
    return new BenchMatch(LoadAdvisories.from(files, limits).index());
  }

  public int records() {
    return index.records();
  }

  /** The number of findings, so that nothing is optimised away. */
  public int findings(List<Component> components) {
    return MatchComponents.match("local", components, index).findings().size();
  }
}
