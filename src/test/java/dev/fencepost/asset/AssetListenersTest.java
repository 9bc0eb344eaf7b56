package dev.fencepost.asset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssetListenersTest {

  private final List<String> heard = new ArrayList<>();
  private final AssetListener first = id -> Uni.createFrom().voidItem().invoke(() -> heard.add(id));

  @Test
  void all_are_told_in_order() {
    tell(first, id -> Uni.createFrom().voidItem().invoke(() -> heard.add("2 " + id)))
        .assertCompleted();
    assertThat(heard).containsExactly("a", "2 a");
  }

  @Test
  void nobody_may_listen() {
    tell().assertCompleted();
  }

  @Test
  void a_listener_that_cannot_hear_does_not_keep_it_from_the_next() {
    AssetListener deaf =
        id -> Uni.createFrom().failure(new Refused(ProblemType.UNAVAILABLE, "no Redis"));
    tell(deaf, first).assertCompleted();
    assertThat(heard).containsExactly("a");
  }

  @Test
  void a_listener_with_a_bug_is_not_hidden() {
    tell(id -> Uni.createFrom().failure(new IllegalStateException("bug")))
        .assertFailedWith(IllegalStateException.class, "bug");
  }

  private static UniAssertSubscriber<Void> tell(AssetListener... listeners) {
    return new AssetListeners(List.of(listeners))
        .tell("a")
        .subscribe()
        .withSubscriber(UniAssertSubscriber.create());
  }
}
