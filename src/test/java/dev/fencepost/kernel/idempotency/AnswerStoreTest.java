package dev.fencepost.kernel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random interleavings of claim, renew, complete, take over and expire, against a model. */
@QuarkusTest
class AnswerStoreTest {

  private static final int STEPS = 120;
  private static final Origin ORIGIN = Origin.ofService(Trace.fresh(new byte[24]));
  private static final LuaScript RENEW = LuaScript.named("fence/renew");

  @Inject AnswerStore answers;
  @Inject RedisRoad redis;

  private final IdempotencyKey key = new IdempotencyKey(UUID.randomUUID().toString());
  private final List<Claim> claims = new ArrayList<>();

  /** What should be true: who has the newest right, whose lease lasts, what was answered. */
  private @Nullable Claim newest;

  private boolean holds;
  private boolean leased;
  private @Nullable String answer;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 40);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_key_never_has_two_answers_whatever_happens_in_which_order(long seed) {
    var random = new Random(seed);
    for (var step = 0; step < STEPS; step++) {
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5 -> claim("ours");
        case 6 -> claim("another request");
        case 7, 8, 9, 10 -> expire();
        case 11, 12, 13 -> renew(random);
        case 14, 15, 16 -> letGo(random);
        case 17 -> complete(random, step);
        default -> look();
      }
    }
    assertThat(claims).isNotEmpty();
  }

  private void claim(String request) {
    var claimed = await(answers.claim(new Intention("someone", key, request)));
    if (newest == null) {
      assertThat(claimed).isInstanceOf(Claimed.Granted.class);
      if (!request.equals("ours")) {
        // Whoever comes first says what the key stands for.
        discard();
        return;
      }
    } else if (!request.equals("ours")) {
      assertThat(claimed).isEqualTo(new Claimed.Mismatch());
      return;
    }
    if (answer != null) {
      assertThat(claimed).isEqualTo(new Claimed.Completed(new StoredAnswer(200, "", answer)));
    } else if (leased) {
      assertThat(claimed).isEqualTo(new Claimed.InProgress(newest.lease().holder()));
    } else {
      grant((Claimed.Granted) claimed);
    }
  }

  private void grant(Claimed.Granted granted) {
    var claim = granted.claim();
    assertThat(granted.takenOver()).isEqualTo(holds);
    assertThat(claim.attempts()).isEqualTo(claims.size() + 1);
    if (newest != null) {
      assertThat(claim.firstSeen()).isEqualTo(newest.firstSeen());
      assertThat(claim.lease().token().value()).isGreaterThan(newest.lease().token().value());
    }
    claims.add(claim);
    newest = claim;
    holds = true;
    leased = true;
  }

  private void discard() {
    await(redis.send(Request.cmd(Command.DEL).arg(record()).arg(lease())));
  }

  private void expire() {
    await(redis.send(Request.cmd(Command.DEL).arg(lease())));
    leased = false;
  }

  private void renew(Random random) {
    if (!claims.isEmpty()) {
      var claim = any(random);
      var renewed =
          await(
              redis.run(
                  RENEW,
                  List.of(claim.lease().agendaKey(), claim.lease().key()),
                  List.of("15000", claim.lease().holder(), claim.lease().subject())));
      assertThat(renewed.get(0).toString())
          .isEqualTo(leased && claim == newest ? "RENEWED" : "LOST");
    }
  }

  private void letGo(Random random) {
    if (!claims.isEmpty()) {
      var claim = any(random);
      var completion = await(answers.letGo(claim, ORIGIN));
      if (claim == newest && holds) {
        assertThat(completion).isEqualTo(Completion.RELEASED);
        holds = false;
        leased = false;
      } else {
        assertThat(completion)
            .isEqualTo(claim == newest ? Completion.LEASE_LOST : Completion.STALE_TOKEN);
      }
    }
  }

  private void complete(Random random, int step) {
    if (!claims.isEmpty()) {
      var claim = any(random);
      var body = "answer " + step;
      var completion = await(answers.complete(claim, new StoredAnswer(200, "", body), ORIGIN));
      if (claim == newest && holds && leased) {
        assertThat(completion).isEqualTo(Completion.COMPLETED);
        answer = body;
        holds = false;
        leased = false;
      } else {
        assertThat(completion)
            .isEqualTo(claim == newest ? Completion.LEASE_LOST : Completion.STALE_TOKEN);
      }
    }
  }

  private void look() {
    var status = await(answers.status("someone", key));
    assertThat(status.isPresent()).isEqualTo(newest != null);
    status.ifPresent(
        known -> assertThat(known.state()).isEqualTo(answer == null ? "in_progress" : "completed"));
    assertThat(await(answers.status("someone else", key))).isEmpty();
  }

  private Claim any(Random random) {
    return claims.get(random.nextInt(claims.size()));
  }

  @Inject dev.fencepost.kernel.fence.Lanes lanes;

  private String record() {
    return RecordKeys.of(lanes, "someone", key).record();
  }

  private String lease() {
    return RecordKeys.of(lanes, "someone", key).lease();
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(20));
  }
}
