package dev.fencepost.kernel.audit;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** How history is kept: in Redis until the ledger takes it, then in PostgreSQL. */
@ConfigMapping(prefix = "fencepost.audit")
public interface AuditSettings {

  /** About how many events a lane's stream keeps. */
  @WithDefault("10000")
  int backlog();

  /** Whether this process moves events to the ledger. */
  @WithDefault("true")
  boolean project();

  /** How often new events are looked for. */
  @WithDefault("1s")
  Duration projectEvery();

  /** How many events of a lane go into one transaction. */
  @WithDefault("500")
  int batch();

  /** The longest pause between two attempts while PostgreSQL is away. */
  @WithDefault("30s")
  Duration maxPause();

  /** How often the heads are signed, if they moved. */
  @WithDefault("5m")
  Duration checkpointEvery();

  /** How many events outside scripts may wait for the disk. */
  @WithDefault("10000")
  int buffer();

  /** How many bytes of events may wait on disk for Redis. */
  @WithDefault("64M")
  MemorySize spoolLimit();

  /** How many whole months stay in PostgreSQL besides the current one; all of them unless set. */
  OptionalInt retention();

  /** Where older months go. */
  Archiving archive();

  /** What must not be kept. */
  Masking mask();

  /** What people are told of, by name. */
  Map<String, Alerting> alerts();

  /** Where older months go. */
  interface Archiving {

    /** A folder that all replicas share; required with a retention. */
    Optional<String> path();

    /** How often it is looked whether a month is to go. */
    @WithDefault("1h")
    Duration every();
  }

  /** What must not be kept. */
  interface Masking {

    /** Names of fields, or their last words: {@code secret} also masks {@code client_secret}. */
    @WithDefault(
        "password,passwd,passphrase,secret,token,authorization,cookie,api_key,apikey,credential,"
            + "credentials,private_key")
    List<String> fields();

    /** Regular expressions of what is masked wherever it stands, besides what is built in. */
    Optional<List<String>> patterns();
  }

  /** One alert: so many events of a kind within a window. */
  interface Alerting {

    String action();

    /** Any outcome, unless set. */
    Optional<String> outcome();

    int count();

    Duration window();

    /** {@code user}, {@code address} or {@code resource}: whose events are counted together. */
    @WithDefault("user")
    String per();
  }
}
