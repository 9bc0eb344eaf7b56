package dev.fencepost.platform.mqtt;

import static io.netty.handler.codec.mqtt.MqttQoS.AT_LEAST_ONCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import org.junit.jupiter.api.Test;

/** The codec that we run with; one that is wrong here ends connections under load. */
class MqttCodecTest {

  private static final int LONGEST = 64 * 1024;

  @Test
  void a_message_that_comes_in_two_pieces_is_one_message_wherever_it_is_cut() {
    var whole = encoded();
    for (var cut = 1; cut < whole.readableBytes(); cut++) {
      var in = new EmbeddedChannel(new MqttDecoder(LONGEST));
      in.writeInbound(whole.copy(0, cut));
      in.writeInbound(whole.copy(cut, whole.readableBytes() - cut));
      MqttPublishMessage message = in.readInbound();
      assertThat(message.decoderResult().isSuccess()).as("cut after %d bytes", cut).isTrue();
      assertThat(message.payload().toString(UTF_8)).isEqualTo("{}");
    }
  }

  private static ByteBuf encoded() {
    var out = new EmbeddedChannel(MqttEncoder.INSTANCE);
    out.writeOutbound(
        MqttMessageBuilders.publish()
            .topicName("fencepost/v1/devices/cam-1/heartbeat")
            .qos(AT_LEAST_ONCE)
            .messageId(7)
            .payload(Unpooled.copiedBuffer("{}", UTF_8))
            .build());
    var whole = Unpooled.buffer();
    for (ByteBuf part = out.readOutbound(); part != null; part = out.readOutbound()) {
      whole.writeBytes(part);
    }
    return whole;
  }
}
