package dev.fencepost.yardstick;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** An endpoint that does one pipelined GET and nothing else. */
@Path("/bare/values/{key}")
@Produces(MediaType.APPLICATION_JSON)
public class BareGet {

  private final BareRedis redis;

  BareGet(BareRedis redis) {
    this.redis = redis;
  }

  @GET
  public Uni<String> value(@PathParam("key") String key) {
    return redis.send(Request.cmd(Command.GET).arg("bare:" + key)).map(Response::toString);
  }
}
