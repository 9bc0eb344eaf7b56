package dev.fencepost.assessment.threat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code known_exploited_vulnerabilities.json} as it streams by. An entry without a proper
 * CVE id spoils the whole edition: without it, "not in the catalogue" could not be said.
 */
final class KevJson {

  private static final Logger LOG = Logger.getLogger(KevJson.class);
  private static final JsonFactory JSON = new JsonFactory();

  private final Set<String> cves = new HashSet<>();
  private @Nullable String version;
  private int entries;
  private int announced = -1;

  private KevJson() {}

  static KevEntries read(InputStream text) throws IOException {
    try (var parser = JSON.createParser(text)) {
      return new KevJson().catalogue(parser);
    } catch (JsonProcessingException e) {
      var at = e.getLocation();
      throw new UnusableFeed(
          "it is no JSON from line %d, column %d on".formatted(at.getLineNr(), at.getColumnNr()));
    }
  }

  private KevEntries catalogue(JsonParser parser) throws IOException {
    expect(parser.nextToken(), JsonToken.START_OBJECT, "a catalogue");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var field = parser.currentName();
      var value = parser.nextToken();
      switch (field) {
        case "catalogVersion" -> version = parser.getValueAsString();
        case "count" -> announced = parser.getValueAsInt(announced);
        case "vulnerabilities" -> entries(parser, value);
        default -> parser.skipChildren();
      }
    }
    if (version == null || version.isBlank()) {
      throw new UnusableFeed("it has no catalogVersion");
    }
    if (announced != entries) {
      LOG.warnf("kev: %s announces %d entries, but has %d", version, announced, entries);
    }
    return new KevEntries(version, cves);
  }

  private void entries(JsonParser parser, JsonToken value) throws IOException {
    expect(value, JsonToken.START_ARRAY, "a list of vulnerabilities");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(parser.currentToken(), JsonToken.START_OBJECT, "a vulnerability");
      entries++;
      cves.add(cveOf(parser));
    }
  }

  private String cveOf(JsonParser parser) throws IOException {
    String cve = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var isId = "cveID".equals(parser.currentName());
      parser.nextToken();
      if (isId) {
        cve = parser.getValueAsString();
      }
      parser.skipChildren();
    }
    if (cve == null || !CveIds.isCve(cve)) {
      throw new UnusableFeed("entry " + entries + " has no CVE id");
    }
    return cve;
  }

  private static void expect(@Nullable JsonToken token, JsonToken expected, String what) {
    if (token != expected) {
      throw new UnusableFeed("it has no " + what + " where one belongs");
    }
  }
}
