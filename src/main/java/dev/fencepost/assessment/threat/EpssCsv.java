package dev.fencepost.assessment.threat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code epss_scores-YYYY-MM-DD.csv}: {@code #model_version:…,score_date:…} (older files lack
 * it), a header line, one row per CVE. A broken row is skipped and counted, since it only leaves
 * one flaw without a score; a file that is broken for the most part is refused.
 */
final class EpssCsv {

  private static final Logger LOG = Logger.getLogger(EpssCsv.class);
  private static final Pattern SCORE_DATE =
      Pattern.compile("score_date:([0-9]{4}-[0-9]{2}-[0-9]{2})");
  private static final Pattern PROBABILITY =
      Pattern.compile("(?:[01](?:\\.[0-9]{1,20})?|[0-9](?:\\.[0-9]{1,20})?[eE]-[0-9]{1,2})");

  private final Map<String, Double> scores = new HashMap<>();
  private int brokenRows;

  private EpssCsv() {}

  static EpssDay read(InputStream text) throws IOException {
    return new EpssCsv()
        .day(new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8)));
  }

  private EpssDay day(BufferedReader lines) throws IOException {
    String date = null;
    var line = lines.readLine();
    while (line != null && line.startsWith("#")) {
      date = dateOf(line);
      line = lines.readLine();
    }
    var columns = line == null ? List.<String>of() : List.of(line.split(",", -1));
    var cve = columns.indexOf("cve");
    var epss = columns.indexOf("epss");
    if (cve < 0 || epss < 0) {
      throw new UnusableFeed("it has no header line with cve and epss");
    }
    for (line = lines.readLine(); line != null; line = lines.readLine()) {
      row(line.split(",", -1), cve, epss);
    }
    return whole(date);
  }

  private EpssDay whole(@Nullable String date) {
    if (brokenRows > scores.size()) {
      throw new UnusableFeed("%d of its rows are broken".formatted(brokenRows));
    }
    if (brokenRows > 0) {
      LOG.warnf("epss: skipped %d broken rows, kept %d scores", brokenRows, scores.size());
    }
    return new EpssDay(date, scores);
  }

  private void row(String[] fields, int cve, int epss) {
    if (fields.length > Math.max(cve, epss) && CveIds.isCve(fields[cve])) {
      var score = probability(fields[epss]);
      if (score != null) {
        scores.merge(fields[cve], score, Math::max);
        return;
      }
    }
    brokenRows++;
  }

  private static @Nullable Double probability(String text) {
    if (!PROBABILITY.matcher(text).matches()) {
      return null;
    }
    var value = Double.parseDouble(text);
    return value <= 1 ? value : null;
  }

  private static @Nullable String dateOf(String comment) {
    var date = SCORE_DATE.matcher(comment);
    return date.find() ? date.group(1) : null;
  }
}
