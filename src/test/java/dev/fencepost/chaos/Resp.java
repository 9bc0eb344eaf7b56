package dev.fencepost.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A connection to Redis that speaks just enough RESP2 to read back what the service wrote. */
final class Resp implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;

  Resp(int port, String password, int timeoutMillis) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(timeoutMillis);
    in = new BufferedInputStream(socket.getInputStream());
    send("AUTH", password);
  }

  /** A String, a Long, a list of these, or null. */
  Object send(String... words) throws IOException {
    var request = new StringBuilder("*" + words.length + "\r\n");
    for (var word : words) {
      request.append('$').append(word.getBytes(UTF_8).length).append("\r\n");
      request.append(word).append("\r\n");
    }
    socket.getOutputStream().write(request.toString().getBytes(UTF_8));
    return answer();
  }

  /** What a command with field and value in turn answers. */
  static Map<String, String> pairs(Object flat) {
    var fields = new LinkedHashMap<String, String>();
    var list = (List<?>) flat;
    for (var i = 0; i + 1 < list.size(); i += 2) {
      fields.put(list.get(i).toString(), list.get(i + 1).toString());
    }
    return fields;
  }

  private Object answer() throws IOException {
    var line = line();
    var rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest));
      default -> throw new IOException(line);
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
    var list = new ArrayList<Object>();
    for (var i = 0; i < length; i++) {
      list.add(answer());
    }
    return list;
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (var next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("Redis closed the connection");
      }
      line.append((char) next);
    }
    in.skipNBytes(1);
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
