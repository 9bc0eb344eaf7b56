package dev.fencepost.assessment.threat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.KnownExploited;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadedFeedsTest {

  private static final String LISTED = "CVE-2021-44228";
  private static final String NOT_LISTED = "CVE-2024-3094";

  @TempDir Path folder;

  private String kevFile = "";
  private String epssFile = "";

  @BeforeEach
  void writeFeeds() throws IOException {
    kevFile =
        Files.writeString(
                folder.resolve("kev.json"),
                "{\"catalogVersion\":\"7\",\"count\":1,\"vulnerabilities\":[{\"cveID\":\"CVE-2021-44228\"}]}")
            .toString();
    epssFile =
        Files.writeString(
                folder.resolve("epss.csv"),
                "#score_date:2026-08-16T00:00:00+0000\ncve,epss\nCVE-2021-44228,0.9\nCVE-2024-3094,0.3\n")
            .toString();
  }

  @Test
  void a_listed_cve_is_exploited_whichever_id_names_it() {
    assertThat(exploited(Findings.of(LISTED, List.of(), List.of()))).isEqualTo(KnownExploited.YES);
    assertThat(exploited(Findings.of("GHSA-1", List.of("cve-2021-44228"), List.of())))
        .isEqualTo(KnownExploited.YES);
    assertThat(exploited(Findings.of("DSA-1", List.of(), List.of(NOT_LISTED, LISTED))))
        .isEqualTo(KnownExploited.YES);
  }

  @Test
  void a_cve_that_is_not_listed_is_not_known_to_be_exploited() {
    assertThat(exploited(Findings.of(NOT_LISTED, List.of(), List.of())))
        .isEqualTo(KnownExploited.NO);
  }

  @Test
  void a_flaw_without_a_cve_id_cannot_be_asked_for() {
    assertThat(exploited(Findings.of("GHSA-1", List.of("PYSEC-1"), List.of("CVE-1"))))
        .isEqualTo(KnownExploited.UNKNOWN);
  }

  @Test
  void the_highest_score_of_all_cve_ids_counts() {
    var finding = Findings.of("DSA-1", List.of(NOT_LISTED), List.of(LISTED, "CVE-2000-0001"));
    assertThat(enrich(kevFile, epssFile, finding).findings().get(0).epss()).isEqualTo(0.9);
  }

  @Test
  void a_score_that_is_absent_is_not_zero() {
    var finding = Findings.of("CVE-2000-0001", List.of(), List.of());
    assertThat(enrich(kevFile, epssFile, finding).findings().get(0).epss()).isNull();
  }

  @Test
  void a_catalogue_that_was_never_loaded_says_unknown_not_no() {
    var enriched =
        enrich(folder + "/none.json", epssFile, Findings.of(LISTED, List.of(), List.of()));
    assertThat(enriched.findings().get(0).knownExploited()).isEqualTo(KnownExploited.UNKNOWN);
    assertThat(enriched.findings().get(0).epss()).isEqualTo(0.9);
    assertThat(enriched.kevAvailable()).isFalse();
    assertThat(enriched.kevCatalogVersion()).isNull();
    assertThat(enriched.epssAvailable()).isTrue();
  }

  @Test
  void the_evidence_names_both_editions_even_without_findings() {
    var enriched = enrich(kevFile, epssFile);
    assertThat(enriched).isEqualTo(new Enriched(List.of(), true, true, "7", "2026-08-16"));
  }

  @Test
  void nothing_is_available_while_nothing_is_loaded() {
    assertThat(enrich(folder + "/none.json", folder + "/none.csv"))
        .isEqualTo(new Enriched(List.of(), false, false, null, null));
  }

  private KnownExploited exploited(Finding finding) {
    return enrich(kevFile, epssFile, finding).findings().get(0).knownExploited();
  }

  private static Enriched enrich(String kevLocation, String epssLocation, Finding... findings) {
    var metrics = new SimpleMeterRegistry();
    var clock = new SetClock();
    var http = new ScriptedHttp();
    var kev = new KevCatalog(FeedSettings.at(kevLocation), http, clock, metrics);
    var epss = new EpssScores(FeedSettings.at(epssLocation), http, clock, metrics);
    kev.loadAtStart(new StartupEvent());
    epss.loadAtStart(new StartupEvent());
    return new LoadedFeeds(kev, epss).enrich(List.of(findings)).await().indefinitely();
  }
}
