package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.ZoneOffset;

/** An event as a row. */
final class EventColumns {

  static final String ALL =
      "lane, sequence, at, event_id, trace_id, service_name, user_id, action, resource_type,"
          + " resource_id, outcome, fencing_token, details, ip_address, user_agent, previous_hash,"
          + " hash, version";

  static final String INSERT =
      "INSERT INTO audit_event ("
          + ALL
          + ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,"
          + " $18)";

  private EventColumns() {}

  static Tuple values(RecordedEvent event) {
    return Tuple.tuple()
        .addInteger(event.lane())
        .addLong(event.sequence())
        .addOffsetDateTime(event.timestamp().atOffset(ZoneOffset.UTC))
        .addString(event.eventId())
        .addString(event.traceId())
        .addString(event.serviceName())
        .addString(event.userId())
        .addString(event.action())
        .addString(event.resourceType())
        .addString(event.resourceId())
        .addString(event.outcome())
        .addLong(event.fencingToken())
        .addString(event.details())
        .addString(event.ipAddress())
        .addString(event.userAgent())
        .addString(event.previousHash())
        .addString(event.hash())
        .addInteger(event.version());
  }

  static RecordedEvent event(Row row) {
    return new RecordedEvent(
        row.getString("event_id"),
        row.getLong("sequence"),
        row.getInteger("lane"),
        row.getOffsetDateTime("at").toInstant(),
        row.getString("trace_id"),
        row.getString("service_name"),
        row.getString("user_id"),
        row.getString("action"),
        row.getString("resource_type"),
        row.getString("resource_id"),
        row.getString("outcome"),
        row.getLong("fencing_token"),
        row.getString("details"),
        row.getString("ip_address"),
        row.getString("user_agent"),
        row.getString("previous_hash"),
        row.getString("hash"),
        row.getInteger("version"));
  }
}
