package dev.fencepost.bench;

import dev.fencepost.bench.Client.Reply;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One HTTP/1.1 connection with one request at a time. Reads answers with a length, or without a
 * body; nothing here sends others. ASCII in requests.
 */
final class Connection {

  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final String LENGTH = "\r\ncontent-length:";
  private static final int STATUS_AT = "HTTP/1.1 ".length();
  private static final int NO_CONTENT = 204;

  private final NetSocket socket;
  private Buffer received = Buffer.buffer();
  private Consumer<Reply> answer;
  private Consumer<Throwable> failure;
  private boolean closed;

  Connection(NetSocket socket) {
    this.socket = socket;
    socket.handler(this::read);
    socket.exceptionHandler(this::fail);
    socket.closeHandler(now -> fail(new IOException("the connection was closed")));
  }

  boolean isClosed() {
    return closed;
  }

  void ask(String request, Consumer<Reply> answered, Consumer<Throwable> failed) {
    answer = answered;
    failure = failed;
    socket.write(request, StandardCharsets.ISO_8859_1.name());
  }

  private void fail(Throwable why) {
    closed = true;
    var waiting = failure;
    answer = null;
    failure = null;
    if (waiting != null) {
      waiting.accept(why);
    }
  }

  private void read(Buffer more) {
    received = received.length() == 0 ? more : received.appendBuffer(more);
    // One byte is one character here, so that positions are the same.
    var text = received.toString(StandardCharsets.ISO_8859_1);
    var end = text.indexOf(END_OF_HEAD);
    if (end < 0) {
      return;
    }
    var body = end + END_OF_HEAD.length();
    var head = text.substring(0, body).toLowerCase(Locale.ROOT);
    var status = Integer.parseInt(head.substring(STATUS_AT, STATUS_AT + 3));
    var length = status == NO_CONTENT ? 0 : length(head);
    if (received.length() >= body + length) {
      var reply =
          new Reply(status, received.getString(body, body + length, StandardCharsets.UTF_8.name()));
      received = Buffer.buffer();
      var waiting = answer;
      answer = null;
      failure = null;
      waiting.accept(reply);
    }
  }

  private static int length(String head) {
    var at = head.indexOf(LENGTH);
    if (at < 0) {
      throw new IllegalStateException("an answer without a length: " + head);
    }
    var from = at + LENGTH.length();
    return Integer.parseInt(head.substring(from, head.indexOf('\r', from)).strip());
  }
}
