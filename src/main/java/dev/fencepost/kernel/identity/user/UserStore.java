package dev.fencepost.kernel.identity.user;

import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.postgres.PostgresAway;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Users in PostgreSQL: the truth about them. Whoever changes one tells the replicas before it
 * answers; a change whose author died in between is told by the next {@link PublishChanges}.
 */
@ApplicationScoped
class UserStore {

  /** How long a caller waits for PostgreSQL; each statement here takes milliseconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String COLUMNS =
      "user_id, kind, permissions, token_version, permission_version, created_at, updated_at";

  private static final String FIND =
      "SELECT " + COLUMNS + " FROM app_user WHERE user_id = $1 AND deleted_at IS NULL";

  private static final String CREDENTIALS =
      "SELECT %s, password_hash FROM app_user WHERE user_id = $1 AND deleted_at IS NULL"
          .formatted(COLUMNS);

  private static final String LIST =
      "SELECT %s FROM app_user WHERE user_id > $1 AND deleted_at IS NULL ORDER BY user_id LIMIT $2"
          .formatted(COLUMNS);

  private static final String CREATE =
      """
      INSERT INTO app_user AS known (user_id, kind, password_hash, permissions, token_version,
        permission_version, version, published_version, created_at, updated_at)
      VALUES ($1, $2, $3, $4, 1, 1, 1, 0, $5, $5)
      ON CONFLICT (user_id) DO UPDATE SET
        kind = excluded.kind, password_hash = excluded.password_hash,
        permissions = excluded.permissions, token_version = known.token_version + 1,
        permission_version = known.permission_version + 1, version = known.version + 1,
        created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = NULL
      WHERE known.deleted_at IS NOT NULL
      RETURNING %s
      """
          .formatted(COLUMNS);

  private static final String CREATE_FIRST =
      """
      INSERT INTO app_user (user_id, kind, password_hash, permissions, token_version,
        permission_version, version, published_version, created_at, updated_at)
      SELECT $1, $2, $3, $4, 1, 1, 1, 0, $5, $5 WHERE NOT EXISTS (SELECT FROM app_user)
      ON CONFLICT DO NOTHING
      """;

  private static final String CHANGE =
      "UPDATE app_user SET version = version + 1, updated_at = $2, %s"
          + " WHERE user_id = $1 AND deleted_at IS NULL RETURNING "
          + COLUMNS;

  private static final String DELETE =
      CHANGE.formatted("token_version = token_version + 1, password_hash = '', deleted_at = $2");

  private static final String SET_PERMISSIONS =
      CHANGE.formatted("permission_version = permission_version + 1, permissions = $3");

  private static final String SET_PASSWORD =
      CHANGE.formatted("token_version = token_version + 1, password_hash = $3");

  private static final String LOG_OUT = CHANGE.formatted("token_version = token_version + 1");

  private static final String REHASH =
      "UPDATE app_user SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2";

  private static final String REVOKE =
      """
      WITH past AS (DELETE FROM revoked_grant WHERE user_id = $1 AND expires_at < $4),
           added AS (INSERT INTO revoked_grant (user_id, grant_id, expires_at)
                     SELECT user_id, $2, $3 FROM app_user WHERE user_id = $1
                     ON CONFLICT DO NOTHING)
      UPDATE app_user SET version = version + 1 WHERE user_id = $1
      """;

  // One statement, so the revocations are those of the version beside them.
  private static final String STANDING =
      """
      SELECT version, token_version, permission_version, permissions, deleted_at,
        (SELECT array_agg(grant_id) FROM revoked_grant r
          WHERE r.user_id = u.user_id AND expires_at >= $2) AS grants
      FROM app_user u WHERE user_id = $1
      """;

  private static final String PUBLISHED =
      "UPDATE app_user SET published_version = $2 WHERE user_id = $1 AND published_version < $2";

  private static final String UNPUBLISHED =
      "SELECT user_id FROM app_user WHERE published_version < version LIMIT 100";

  private final Pool pool;
  private final StandingStore standings;
  private final Entropy entropy;

  UserStore(Pool pool, StandingStore standings, Entropy entropy) {
    this.pool = pool;
    this.standings = standings;
    this.entropy = entropy;
  }

  Uni<Optional<User>> find(String userId) {
    return run(FIND, Tuple.of(userId)).map(rows -> first(rows).map(UserStore::user));
  }

  Uni<Optional<Credentials>> credentials(String userId) {
    return run(CREDENTIALS, Tuple.of(userId))
        .map(
            rows ->
                first(rows).map(row -> new Credentials(user(row), row.getString("password_hash"))));
  }

  /** Users in the order of their ids, behind one. */
  Uni<List<User>> list(String after, int limit) {
    return run(LIST, Tuple.of(after, limit))
        .map(rows -> stream(rows).map(UserStore::user).toList());
  }

  /** Creates a user; empty if the name is taken. */
  Uni<Optional<User>> create(
      String userId, UserKind kind, String passwordHash, Set<Permission> permissions) {
    return changed(userId, run(CREATE, creation(userId, kind, passwordHash, permissions)));
  }

  /** Creates a user if there never was one; false if there was. Any number of replicas may try. */
  Uni<Boolean> createFirst(String userId, String passwordHash, Set<Permission> permissions) {
    return run(CREATE_FIRST, creation(userId, UserKind.PERSON, passwordHash, permissions))
        .map(rows -> rows.rowCount() > 0);
  }

  /** Deletes a user and ends its logins; empty if there is none. */
  Uni<Optional<User>> delete(String userId) {
    return changed(userId, run(DELETE, Tuple.of(userId, now())));
  }

  Uni<Optional<User>> setPermissions(String userId, Set<Permission> permissions) {
    return changed(userId, run(SET_PERMISSIONS, Tuple.of(userId, now(), wire(permissions))));
  }

  /** Sets a password and ends all logins that rest on the old one. */
  Uni<Optional<User>> setPassword(String userId, String passwordHash) {
    return changed(userId, run(SET_PASSWORD, Tuple.of(userId, now(), passwordHash)));
  }

  /** Ends all logins of a user. */
  Uni<Optional<User>> logOut(String userId) {
    return changed(userId, run(LOG_OUT, Tuple.of(userId, now())));
  }

  /** Keeps the same password under a stronger hash, unless it was changed meanwhile. */
  Uni<Void> rehash(Credentials known, String passwordHash) {
    return run(REHASH, Tuple.of(known.user().userId(), known.passwordHash(), passwordHash))
        .replaceWithVoid();
  }

  /** Ends one grant, or one token. */
  Uni<Void> revoke(String userId, String grant, Instant until) {
    return run(REVOKE, Tuple.of(userId, grant, utc(until), now()))
        .flatMap(rows -> publish(userId))
        .replaceWithVoid();
  }

  /**
   * Reads the truth about a user and tells the replicas.
   *
   * @return empty if there never was such a user
   */
  Uni<Optional<Standing>> publish(String userId) {
    return run(STANDING, Tuple.of(userId, now()))
        .map(rows -> first(rows).map(UserStore::standing))
        .call(
            truth ->
                truth.isEmpty()
                    ? Uni.createFrom().voidItem()
                    : standings
                        .publish(userId, truth.get())
                        .flatMap(done -> run(PUBLISHED, Tuple.of(userId, truth.get().version()))));
  }

  /** Users of which the replicas may not know the newest. */
  Uni<List<String>> unpublished() {
    return run(UNPUBLISHED, Tuple.tuple())
        .map(rows -> stream(rows).map(row -> row.getString("user_id")).toList());
  }

  private Uni<Optional<User>> changed(String userId, Uni<RowSet<Row>> change) {
    return change
        .map(rows -> first(rows).map(UserStore::user))
        .call(
            user ->
                user.isEmpty() ? Uni.createFrom().voidItem() : publish(userId).replaceWithVoid());
  }

  private Uni<RowSet<Row>> run(String statement, Tuple values) {
    return pool.preparedQuery(statement)
        .execute(values)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure(PostgresAway::isCause)
        .transform(away -> PostgresAway.refusal("the store of users"));
  }

  private Tuple creation(
      String userId, UserKind kind, String passwordHash, Set<Permission> permissions) {
    return Tuple.of(userId, kind.wire(), passwordHash, wire(permissions), now());
  }

  private OffsetDateTime now() {
    return utc(entropy.now());
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }

  private static String[] wire(Set<Permission> permissions) {
    return permissions.stream().map(Permission::wire).sorted().toArray(String[]::new);
  }

  private static Set<Permission> permissions(Row row) {
    return Stream.of(row.getArrayOfStrings("permissions"))
        .flatMap(wire -> Permission.parse(wire).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static User user(Row row) {
    return new User(
        row.getString("user_id"),
        UserKind.read(row.getString("kind")),
        permissions(row),
        row.getLong("token_version"),
        row.getLong("permission_version"),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getOffsetDateTime("updated_at").toInstant());
  }

  private static Standing standing(Row row) {
    var grants = row.getArrayOfStrings("grants");
    return new Standing(
        row.getLong("version"),
        row.getLong("token_version"),
        row.getLong("permission_version"),
        permissions(row),
        grants == null ? Set.of() : Set.of(grants),
        row.getOffsetDateTime("deleted_at") != null,
        0);
  }

  private static Optional<Row> first(RowSet<Row> rows) {
    return stream(rows).findFirst();
  }

  private static Stream<Row> stream(RowSet<Row> rows) {
    return StreamSupport.stream(rows.spliterator(), false);
  }
}
