package dev.fencepost.assessment;

import static dev.fencepost.assessment.notification.DeliveryState.FAILED;
import static dev.fencepost.assessment.notification.DeliveryState.NOTIFIED;
import static dev.fencepost.assessment.notification.DeliveryState.NOTIFYING;
import static dev.fencepost.assessment.notification.DeliveryState.PENDING;
import static dev.fencepost.assessment.notification.DeliveryState.UNCERTAIN;
import static dev.fencepost.assessment.notification.ResendPolicy.ALWAYS;
import static dev.fencepost.assessment.notification.ResendPolicy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.assessment.notification.Delivery;
import dev.fencepost.assessment.notification.DeliveryState;
import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.assessment.notification.ResendPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TellingTest {

  @Test
  void what_a_dead_holder_was_sending_is_sent_again_under_the_same_key_and_says_so() {
    var again = Telling.again(in(NOTIFYING), ALWAYS);
    assertThat(again.mayRepeat()).isTrue();
    assertThat(again.notification().state()).isEqualTo(NOTIFYING);
    assertThat(again.notification().sends()).isEqualTo(2);
    assertThat(again.notification().idempotencyKey()).isEqualTo("t:ops");
  }

  @Test
  void a_channel_that_must_not_repeat_stays_uncertain() {
    var again = Telling.again(in(NOTIFYING), NEVER);
    assertThat(again.notification().state()).isEqualTo(UNCERTAIN);
    assertThat(again.notification().sends()).isEqualTo(1);
    assertThat(again.isOpen()).isFalse();
  }

  @Test
  void what_certainly_did_not_arrive_is_no_repeat() {
    for (var policy : ResendPolicy.values()) {
      var again = Telling.again(in(PENDING), policy);
      assertThat(again.mayRepeat()).isFalse();
      assertThat(again.notification().state()).isEqualTo(NOTIFYING);
    }
  }

  @Test
  void settled_channels_are_left_alone() {
    for (var state : new DeliveryState[] {NOTIFIED, UNCERTAIN, FAILED}) {
      assertThat(Telling.again(in(state), ALWAYS).notification()).isEqualTo(in(state));
    }
  }

  @Test
  void every_outcome_has_its_state() {
    var first = Telling.first(in(NOTIFYING), ALWAYS);
    assertThat(first.after(new Delivery.Delivered()).notification().state()).isEqualTo(NOTIFIED);
    assertThat(first.after(new Delivery.Permanent("x")).notification().state()).isEqualTo(FAILED);
    assertThat(first.after(later()).notification().state()).isEqualTo(PENDING);
    assertThat(first.after(later()).notBefore()).isEqualTo(Duration.ofSeconds(7));
    assertThat(first.after(new Delivery.InDoubt("x")).notification().state()).isEqualTo(NOTIFYING);
    var once = Telling.first(in(NOTIFYING), NEVER);
    assertThat(once.after(new Delivery.InDoubt("x")).notification().state()).isEqualTo(UNCERTAIN);
  }

  @Test
  void doubt_about_an_earlier_request_outlives_a_refusal_of_a_later_one() {
    var again = Telling.again(in(NOTIFYING), ALWAYS);
    assertThat(again.after(later()).notification().state()).isEqualTo(NOTIFYING);
  }

  private static Delivery later() {
    return new Delivery.RetryLater("busy", Duration.ofSeconds(7));
  }

  private static Notification in(DeliveryState state) {
    return new Notification("ops", state, 1, "t:ops", null);
  }
}
