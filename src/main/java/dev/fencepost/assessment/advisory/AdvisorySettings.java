package dev.fencepost.assessment.advisory;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Where advisories come from. */
@ConfigMapping(prefix = "fencepost.advisories")
public interface AdvisorySettings {

  @WithDefault("local")
  Source source();

  Local local();

  OsvApi osvApi();

  /** The kind of source that is asked. */
  enum Source {
    LOCAL,
    OSV_API
  }

  /** Advisories from the file system. */
  interface Local {

    /**
     * A folder of OSV JSON files and of zips as OSV exports them, or one such zip. Unset: a bundled
     * sample, enough to try the service and no more.
     */
    Optional<String> path();

    /** How often the path is looked at for a change. */
    @WithDefault("30s")
    Duration checkEvery();

    /** A longer record is broken; the longest real ones, of the Linux kernel, have about 2 MB. */
    @WithDefault("16777216")
    int maxRecordBytes();

    /** More are refused as a whole; OSV's supported ecosystems had about 400,000 in 2026. */
    @WithDefault("1000000")
    int maxRecords();
  }

  /** Advisories from the OSV API. */
  interface OsvApi {

    @WithDefault("https://api.osv.dev")
    String url();

    /** For one request; OSV aims at 6 s for 95% of batches. */
    @WithDefault("6s")
    Duration requestTimeout();

    /** Queries in a batch; OSV refuses more than 1000. */
    @WithDefault("1000")
    int maxBatch();

    /** Batches in flight for one inventory. */
    @WithDefault("4")
    int parallelBatches();

    /** Records in flight for one inventory. */
    @WithDefault("16")
    int parallelRecords();

    /** Pages of one batch, before the source counts as broken. */
    @WithDefault("100")
    int maxPages();

    /** Refused queries of one batch, before the source counts as broken. */
    @WithDefault("32")
    int maxRefusedQueries();

    /** Further tries of a request that failed for a reason that may pass. */
    @WithDefault("3")
    int maxRetries();

    /** The wait before the first retry; it doubles with each. */
    @WithDefault("200ms")
    Duration backoff();

    @WithDefault("2s")
    Duration maxBackoff();

    /** Records kept in memory, by id and time of change; about 2 kB each. */
    @WithDefault("20000")
    int cachedRecords();
  }
}
