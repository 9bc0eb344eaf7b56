package dev.fencepost.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A blocking connection to Redis, for what is done beside the measuring. */
final class Resp implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;

  Resp(int port, String password) {
    try {
      socket = new Socket("127.0.0.1", port);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    send("AUTH", password);
  }

  /** A string, a long, a list of these, or null. */
  Object send(Object... words) {
    try {
      write(words);
      return read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text(Object... words) {
    return String.valueOf(send(words));
  }

  private void write(Object... words) throws IOException {
    var out = new ByteArrayOutputStream();
    out.write(("*" + words.length + "\r\n").getBytes(UTF_8));
    for (var word : words) {
      var bytes = String.valueOf(word).getBytes(UTF_8);
      out.write(("$" + bytes.length + "\r\n").getBytes(UTF_8));
      out.write(bytes);
      out.write("\r\n".getBytes(UTF_8));
    }
    socket.getOutputStream().write(out.toByteArray());
  }

  Object read() throws IOException {
    var line = line();
    var rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case ':' -> Long.parseLong(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest));
      default -> throw new IllegalStateException("redis: " + line);
    };
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    var bytes = in.readNBytes(length);
    in.skipNBytes(2);
    return new String(bytes, UTF_8);
  }

  private List<Object> list(int length) throws IOException {
    var items = new ArrayList<Object>();
    for (var i = 0; i < length; i++) {
      items.add(read());
    }
    return items;
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (var next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("redis closed the connection");
      }
      line.write(next);
    }
    in.skipNBytes(1);
    return line.toString(UTF_8);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
