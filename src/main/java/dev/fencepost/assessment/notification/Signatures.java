package dev.fencepost.assessment.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256, the three ways receivers want it. All in base64. */
final class Signatures {

  private static final String ALGORITHM = "HmacSHA256";

  private Signatures() {}

  /** DingTalk: the secret is the key, and part of the text. */
  static String dingTalk(String secret, String millis) {
    return hmac(secret.getBytes(UTF_8), (millis + "\n" + secret).getBytes(UTF_8));
  }

  /** Feishu: what DingTalk signs is the key here, and nothing is signed. */
  static String feishu(String secret, String seconds) {
    return hmac((seconds + "\n" + secret).getBytes(UTF_8), new byte[0]);
  }

  /** Standard Webhooks, version 1. */
  static String standardWebhook(byte[] key, String id, String seconds, byte[] body) {
    var head = (id + "." + seconds + ".").getBytes(UTF_8);
    var signed = new byte[head.length + body.length];
    System.arraycopy(head, 0, signed, 0, head.length);
    System.arraycopy(body, 0, signed, head.length, body.length);
    return "v1," + hmac(key, signed);
  }

  private static String hmac(byte[] key, byte[] text) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return Base64.getEncoder().encodeToString(mac.doFinal(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
