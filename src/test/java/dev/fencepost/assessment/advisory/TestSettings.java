package dev.fencepost.assessment.advisory;

import java.time.Duration;
import java.util.Optional;

/** Settings as a test wants them; short waits, small bounds. */
record TestSettings(Source source, Optional<String> path, String url)
    implements AdvisorySettings, AdvisorySettings.Local, AdvisorySettings.OsvApi {

  static TestSettings local(String path) {
    return new TestSettings(Source.LOCAL, Optional.of(path), "");
  }

  static TestSettings bundledSample() {
    return new TestSettings(Source.LOCAL, Optional.empty(), "");
  }

  static TestSettings osvApi(String url) {
    return new TestSettings(Source.OSV_API, Optional.empty(), url);
  }

  @Override
  public Local local() {
    return this;
  }

  @Override
  public OsvApi osvApi() {
    return this;
  }

  @Override
  public Duration checkEvery() {
    return Duration.ofSeconds(30);
  }

  @Override
  public int maxRecordBytes() {
    return 1 << 20;
  }

  @Override
  public int maxRecords() {
    return 1000;
  }

  @Override
  public Duration requestTimeout() {
    return Duration.ofMillis(500);
  }

  @Override
  public int maxBatch() {
    return 1000;
  }

  @Override
  public int parallelBatches() {
    return 4;
  }

  @Override
  public int parallelRecords() {
    return 16;
  }

  @Override
  public int maxPages() {
    return 5;
  }

  @Override
  public int maxRefusedQueries() {
    return 3;
  }

  @Override
  public int maxRetries() {
    return 2;
  }

  @Override
  public Duration backoff() {
    return Duration.ofMillis(1);
  }

  @Override
  public Duration maxBackoff() {
    return Duration.ofMillis(2);
  }

  @Override
  public int cachedRecords() {
    return 3;
  }
}
