package dev.fencepost.kernel.audit;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Takes secrets out of what is about to be kept for ever: by the name of the field, and by form
 * wherever it stands in a text. Masking what is masked changes nothing.
 */
@ApplicationScoped
public class Mask {

  /** What stands where a secret was. */
  public static final String MASKED = "***";

  /** Rights to write are no secrets, though they are called tokens. */
  private static final Set<String> NO_SECRETS =
      Set.of("fencing_token", "newest_token", "process_sequence");

  private static final Pattern SCHEME =
      Pattern.compile("(?i)\\b(bearer|basic)(\\s+)[A-Za-z0-9._~+/=-]{6,}");
  private static final Pattern JWT =
      Pattern.compile("\\beyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]*)?");
  private static final Pattern URL_LOGIN = Pattern.compile("(?i)(://[^\\s/:@]*:)[^\\s/@]+(?=@)");

  /** The resident identity card of China, and the social security number of the United States. */
  private static final Pattern IDENTITY =
      Pattern.compile(
          "(?<![A-Za-z0-9])(?:[1-9]\\d{5}(?:18|19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])"
              + "\\d{3}[0-9Xx]|\\d{3}-\\d{2}-\\d{4})(?![A-Za-z0-9])");

  private static final Pattern CARD =
      Pattern.compile("(?<![A-Za-z0-9])[2-6](?:[ -]?\\d){12,18}(?![A-Za-z0-9])");
  private static final int TEN = 10;

  private final Set<String> names;
  private final Pattern named;
  private final List<Pattern> patterns;

  /** Masks as configured. */
  @jakarta.inject.Inject
  public Mask(AuditSettings settings) {
    this(settings.mask().fields(), settings.mask().patterns().orElse(List.of()));
  }

  Mask(List<String> fields, List<String> more) {
    names = Set.copyOf(fields.stream().map(Mask::plain).toList());
    named =
        Pattern.compile(
            "(?i)(?<!fencing[_-])(?<!newest[_-])((?:"
                + String.join("|", names.stream().map(name -> name.replace("_", "[_-]?")).toList())
                + ")[\"']?\\s*(?:[:=]|\\bis\\b)\\s*[\"']?)[^\\s\"',;&})\\]]+");
    patterns = more.stream().map(Pattern::compile).toList();
  }

  /** Fields by name, their values by form; sorted by name. */
  public Map<String, String> fields(Map<String, String> fields) {
    var masked = new TreeMap<String, String>();
    fields.forEach((name, value) -> masked.put(name, field(name, value)));
    return masked;
  }

  private String field(String name, String value) {
    var plain = plain(name);
    if (NO_SECRETS.contains(plain)) {
      return value;
    }
    return isSecret(plain) ? MASKED : text(value);
  }

  private boolean isSecret(String plain) {
    for (var name : names) {
      if (plain.endsWith(name)
          && (plain.length() == name.length()
              || plain.charAt(plain.length() - name.length() - 1) == '_')) {
        return true;
      }
    }
    return false;
  }

  /** A text without what has the form of a secret. */
  public String text(String text) {
    var signs = Signs.in(text);
    var masked = text;
    if (signs.blank) {
      masked = SCHEME.matcher(masked).replaceAll("$1$2" + MASKED);
    }
    if (text.contains("eyJ")) {
      masked = JWT.matcher(masked).replaceAll(MASKED);
    }
    if (signs.at && signs.assigns) {
      masked = URL_LOGIN.matcher(masked).replaceAll("$1" + MASKED);
    }
    if (signs.blank || signs.assigns) {
      masked = named.matcher(masked).replaceAll("$1" + MASKED);
    }
    if (signs.digits >= Signs.OF_AN_IDENTITY) {
      masked = IDENTITY.matcher(masked).replaceAll(MASKED);
      masked = CARD.matcher(masked).replaceAll(Mask::card);
    }
    for (var pattern : patterns) {
      masked = pattern.matcher(masked).replaceAll(MASKED);
    }
    return masked;
  }

  /** What each form cannot do without: one look at a text spares most of them most patterns. */
  private record Signs(boolean blank, boolean at, boolean assigns, int digits) {

    /** The shortest number that is looked for has so many. */
    static final int OF_AN_IDENTITY = 9;

    static Signs in(String text) {
      var blank = false;
      var at = false;
      var assigns = false;
      var digits = 0;
      for (var i = 0; i < text.length(); i++) {
        var c = text.charAt(i);
        blank |= Character.isWhitespace(c) || c == '"' || c == '\'';
        at |= c == '@';
        assigns |= c == ':' || c == '=';
        digits += Character.isDigit(c) ? 1 : 0;
      }
      return new Signs(blank, at, assigns, digits);
    }
  }

  /** A number that only looks like a card's stays: its check digit does not fit. */
  private static String card(MatchResult found) {
    return isCard(found.group().replaceAll("\\D", "")) ? MASKED : found.group();
  }

  private static boolean isCard(String digits) {
    var sum = 0;
    for (var i = 0; i < digits.length(); i++) {
      var digit = digits.charAt(digits.length() - 1 - i) - '0';
      var weighed = i % 2 == 0 ? digit : 2 * digit;
      sum += weighed >= TEN ? weighed - TEN + 1 : weighed;
    }
    return sum % TEN == 0;
  }

  /** {@code Client-Secret} and {@code clientSecret} are {@code client_secret}. */
  private static String plain(String name) {
    return isPlain(name) ? name : split(name);
  }

  private static boolean isPlain(String name) {
    for (var i = 0; i < name.length(); i++) {
      var c = name.charAt(i);
      if (c != '_' && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) {
        return false;
      }
    }
    return true;
  }

  private static String split(String name) {
    return Stream.of(name.split("(?<=[a-z0-9])(?=[A-Z])|[-.\\s]"))
        .map(part -> part.toLowerCase(Locale.ROOT))
        .reduce((a, b) -> a + "_" + b)
        .orElse("");
  }
}
