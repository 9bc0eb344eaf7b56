package dev.fencepost.platform.postgres;

import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.TimeoutException;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.DatabaseException;
import java.io.IOException;
import java.util.Set;

/** Tells "PostgreSQL is not there" from "PostgreSQL said no", which is a bug. */
public final class PostgresAway {

  /** SQLSTATE classes: connection lost, out of resources, shutting down or starting up. */
  private static final Set<String> AWAY = Set.of("08", "53", "57");

  private static final int CLASS_LENGTH = 2;

  private PostgresAway() {}

  /** Whether a failure means that PostgreSQL is not there. */
  public static boolean isCause(Throwable failure) {
    if (failure instanceof PgException answer) {
      return AWAY.contains(answer.getSqlState().substring(0, CLASS_LENGTH));
    }
    return failure instanceof IOException
        || failure instanceof TimeoutException
        || failure instanceof java.util.concurrent.TimeoutException
        || (failure instanceof VertxException && !(failure instanceof DatabaseException));
  }

  /**
   * What a client is told then.
   *
   * @param store what could not be asked, e.g. {@code the store of assets}
   */
  public static Refused refusal(String store) {
    return new Refused(ProblemType.UNAVAILABLE, store + " does not answer; try again");
  }
}
