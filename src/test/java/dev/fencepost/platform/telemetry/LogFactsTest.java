package dev.fencepost.platform.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LogLines;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lines and their facts, with the MDC of the running service behind them. */
@QuarkusTest
class LogFactsTest {

  private static final Logger LOG = Logger.getLogger(LogFactsTest.class);
  private static final String TRACE_ID = "11111111111111111111111111111111";

  @Inject Vertx vertx;

  private LogLines lines;

  @BeforeEach
  void listen() {
    lines = LogLines.of(LogFactsTest.class.getName());
  }

  @AfterEach
  void stopListening() {
    lines.close();
  }

  @Test
  void a_line_carries_its_facts_on_every_context_and_the_next_line_carries_none()
      throws InterruptedException {
    var nobodys = vertx.getOrCreateContext();
    var someones = VertxContext.createNewDuplicatedContext(vertx.getOrCreateContext());
    assertThat(VertxContext.isDuplicatedContext(nobodys)).isFalse();

    twoLines("off the loop");
    on(nobodys, () -> twoLines("on a timer's context"));
    on(someones, () -> twoLines("on a request's context"));
    vertx.executeBlocking(() -> twoLines("on a worker"));

    for (var where : Stream.of("off the loop", "timer's", "request's", "worker").toList()) {
      assertThat(lines.with(where, "first").facts())
          .as(where)
          .isEqualTo(
              Map.of(
                  "trace_id", TRACE_ID,
                  "ticket_id", "t7-x",
                  "device_id", "cam-1",
                  "lane", "7",
                  "fencing_token", "1796071234567890"));
      assertThat(lines.with(where, "second").facts()).as(where).isEmpty();
    }
  }

  private static boolean twoLines(String where) {
    LogFacts.log(LOG, Level.WARN, LogFactsTest::facts, "%s: first", where);
    LOG.warnf("%s: second", where);
    return true;
  }

  private static LogFacts facts() {
    return LogFacts.NONE
        .trace(TRACE_ID)
        .ticket("t7-x")
        .device("cam-1")
        .lane(7)
        .token(1796071234567890L);
  }

  private static void on(Context context, Runnable work) throws InterruptedException {
    var done = new CountDownLatch(1);
    context.runOnContext(
        now -> {
          work.run();
          done.countDown();
        });
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_line_is_otherwise_like_any_other() {
    var broken = new IllegalStateException("broken");

    LogFacts.log(LOG, Level.ERROR, LogFactsTest::facts, broken, "%s of %d", "one", 2);

    var line = lines.with("one of 2");
    assertThat(line.logger()).isEqualTo(LogFactsTest.class.getName());
    assertThat(line.level()).isEqualTo("ERROR");
    assertThat(line.failure()).isSameAs(broken);
    assertThat(line.method()).isEqualTo("a_line_is_otherwise_like_any_other");
  }

  @Test
  void nobody_is_asked_for_the_facts_of_a_line_that_is_not_written() {
    lines.close();
    LogFacts.log(
        LOG,
        Level.DEBUG,
        () -> {
          throw new AssertionError("asked");
        },
        "nothing");
  }
}
