package dev.fencepost.platform.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** One atomic Redis operation. The name is the path under {@code /lua}, without the extension. */
public record LuaScript(String name, String text, String sha1) {

  /** Loads a script from the class path; a missing one is a broken build. */
  public static LuaScript named(String name) {
    try (var in = LuaScript.class.getResourceAsStream("/lua/" + name + ".lua")) {
      if (in == null) {
        throw new IllegalArgumentException("no such script: " + name);
      }
      var text = new String(in.readAllBytes(), UTF_8);
      return new LuaScript(name, text, sha1(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM ships SHA-1", e);
    }
  }
}
