package dev.fencepost.asset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComponentColumnTest {

  @Test
  void components_come_back_as_they_were_written() {
    var components =
        List.of(
            new Component(Purl.parse("pkg:npm/%40babel/core@7.0.0"), null),
            new Component(
                Purl.parse("pkg:deb/debian/libattr1@2.4.48-4?epoch=1"),
                new SourcePackage("attr", "1:2.4.48-4")));
    var read = ComponentColumn.read(ComponentColumn.write(components));
    assertThat(read).isEqualTo(components);
    assertThat(read.get(0).purl()).hasToString("pkg:npm/%40babel/core@7.0.0");
  }
}
