package dev.fencepost.assessment.threat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Reads {@code known_exploited_vulnerabilities.csv} (RFC 4180: quoted fields may hold commas,
 * quotes and line ends). This form does not say which edition it is.
 */
final class KevCsv {

  private static final int END = -1;

  private final Reader reader;
  private int next;

  private KevCsv(Reader reader) throws IOException {
    this.reader = reader;
    this.next = reader.read();
  }

  static KevEntries read(InputStream text) throws IOException {
    var csv = new KevCsv(new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8)));
    var column = csv.row().indexOf("cveID");
    if (column < 0) {
      throw new UnusableFeed("its first line names no column cveID");
    }
    var cves = new HashSet<String>();
    while (csv.next != END) {
      var row = csv.row();
      if (row.size() <= column || !CveIds.isCve(row.get(column))) {
        throw new UnusableFeed("the row after " + cves.size() + " entries has no CVE id");
      }
      cves.add(row.get(column));
    }
    return new KevEntries(null, cves);
  }

  private List<String> row() throws IOException {
    var fields = new ArrayList<String>();
    fields.add(field());
    while (next == ',') {
      advance();
      fields.add(field());
    }
    if (next == '\r') {
      advance();
    }
    if (next == '\n') {
      advance();
    }
    return fields;
  }

  private String field() throws IOException {
    var field = new StringBuilder();
    if (next == '"') {
      quoted(field);
    }
    while (next != END && next != ',' && next != '\r' && next != '\n') {
      field.append((char) advance());
    }
    return field.toString();
  }

  private void quoted(StringBuilder field) throws IOException {
    advance();
    while (next != END) {
      var character = advance();
      if (character == '"' && next != '"') {
        return;
      }
      if (character == '"') {
        advance();
      }
      field.append((char) character);
    }
    throw new UnusableFeed("it ends within quotes");
  }

  private int advance() throws IOException {
    var current = next;
    next = reader.read();
    return current;
  }
}
