package dev.fencepost.yardstick;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.channel.EventLoop;
import io.smallrye.mutiny.Uni;
import io.vertx.core.impl.ContextInternal;
import io.vertx.ext.web.client.WebClientOptions;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.ext.web.client.HttpResponse;
import io.vertx.mutiny.ext.web.client.WebClient;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The same five steps in a straight line, each result one HSET: what one would write in an
 * afternoon. No lock, no fence, no events, no retries, no time limits, no address guard: killed
 * half-way, its work is lost; sent twice, it is done twice.
 */
@Path("/bare/assessments/{asset_id}")
@Produces(MediaType.APPLICATION_JSON)
public class BareAssessment {

  private static final String ASSET =
      "SELECT a.address, i.components FROM asset a JOIN inventory i USING (asset_id)"
          + " WHERE asset_id = $1";

  private static final int POOL = 128;

  private final BareRedis redis;
  private final Pool postgres;
  private final Vertx vertx;
  private final Map<EventLoop, WebClient> kept = new ConcurrentHashMap<>();
  private final Map<EventLoop, WebClient> fresh = new ConcurrentHashMap<>();
  private final ObjectMapper json;
  private final String outside;

  BareAssessment(
      BareRedis redis,
      Pool postgres,
      Vertx vertx,
      ObjectMapper json,
      @ConfigProperty(name = "yardstick.outside") String outside) {
    this.redis = redis;
    this.postgres = postgres;
    this.vertx = vertx;
    this.json = json;
    this.outside = outside;
  }

  /**
   * Assesses.
   *
   * @param freshly whether the probe and the webhook get a connection of their own each time, as
   *     guarded targets do in Fencepost
   */
  @POST
  public Uni<String> assess(
      @PathParam("asset_id") String assetId, @QueryParam("freshly") boolean freshly) {
    var http = client(!freshly);
    var ticket = json.createObjectNode();
    ticket.put("ticket_id", UUID.randomUUID().toString());
    ticket.put("asset_id", assetId);
    return note(ticket, "INIT")
        .flatMap(begun -> postgres.preparedQuery(ASSET).execute(Tuple.of(assetId)))
        .map(rows -> rows.iterator().next())
        .flatMap(row -> assess(ticket, row, http))
        .map(done -> ticket.toString());
  }

  /** One for each event loop, so that none waits for another. */
  private WebClient client(boolean keeps) {
    return (keeps ? kept : fresh)
        .computeIfAbsent(
            ContextInternal.current().nettyEventLoop(),
            loop ->
                WebClient.create(
                    vertx, new WebClientOptions().setMaxPoolSize(POOL).setKeepAlive(keeps)));
  }

  private Uni<?> assess(ObjectNode ticket, Row asset, WebClient http) {
    return http.getAbs(asset.getString("address"))
        .send()
        .invoke(online -> ticket.put("online", online.statusCode()))
        .flatMap(online -> note(ticket, "ASSET_ONLINE"))
        .flatMap(noted -> query(asset.getString("components")))
        .invoke(found -> ticket.set("findings", found))
        .flatMap(found -> note(ticket, "VULN_CHECK_DONE"))
        .invoke(noted -> ticket.put("verdict", "HIGH"))
        .flatMap(decided -> note(ticket, "NOTIFYING"))
        .flatMap(
            noted -> http.postAbs(outside + "/hook").sendBuffer(Buffer.buffer(ticket.toString())))
        .invoke(told -> ticket.put("notified", told.statusCode()))
        .flatMap(told -> note(ticket, "FINISHED"));
  }

  private Uni<JsonNode> query(String components) {
    var queries = json.createObjectNode();
    var list = queries.putArray("queries");
    read(components)
        .forEach(
            component ->
                list.addObject().putObject("package").put("purl", component.get(0).asText()));
    return client(true)
        .postAbs(outside + "/v1/querybatch")
        .sendBuffer(Buffer.buffer(queries.toString()))
        .map(HttpResponse::bodyAsString)
        .map(answer -> read(answer).at("/results"));
  }

  /** Writes the whole state as the step leaves it. */
  private Uni<?> note(ObjectNode ticket, String status) {
    var key = "bare:ticket:" + ticket.get("ticket_id").asText();
    ticket.put("status", status).put("updated_at", Instant.now().toString());
    var write = Request.cmd(Command.HSET).arg(key);
    ticket.properties().forEach(fact -> write.arg(fact.getKey()).arg(fact.getValue().toString()));
    return redis.send(write);
  }

  private JsonNode read(String text) {
    try {
      return json.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
