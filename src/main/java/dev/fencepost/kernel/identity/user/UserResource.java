package dev.fencepost.kernel.identity.user;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.http.PageLimit;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Base64;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jboss.resteasy.reactive.server.Cancellable;
import org.jspecify.annotations.Nullable;

/** Administers users. Every change holds on all replicas within a second. */
@Path("/v1/users")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Users", description = "Who may log in, and what they may do")
class UserResource {

  private final AdministerUsers users;
  private final PasswordSettings settings;
  private final Callers callers;

  UserResource(AdministerUsers users, PasswordSettings settings, Callers callers) {
    this.users = users;
    this.settings = settings;
    this.callers = callers;
  }

  /** Creates a user. */
  @POST
  @Cancellable(false)
  @Needs(Permission.IDENTITY_MANAGE)
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Create a user",
      description =
          "A service is a client of OAuth: its user_id is its client_id, its password its"
              + " client_secret.")
  @APIResponse(responseCode = "201", description = "Location names it")
  @APIResponse(responseCode = "409", description = "There is such a user already")
  public Uni<RestResponse<UserAnswer>> create(@Nullable NewUser user, RoutingContext request) {
    return users
        .create(NewUser.valid(user, settings.minLength()), callers.origin(request))
        .map(
            created ->
                ResponseBuilder.create(RestResponse.Status.CREATED, UserAnswer.of(created))
                    .header("Location", "/v1/users/" + created.userId())
                    .build());
  }

  /** Users, in the order of their ids. */
  @GET
  @Needs(Permission.IDENTITY_MANAGE)
  @Operation(summary = "List users, in the order of their ids")
  public Uni<UserPage> list(
      @Parameter(description = "1 to 500, 50 unless given") @QueryParam("limit")
          @Nullable String limit,
      @Parameter(description = "next_page_token of the page before") @QueryParam("page_token")
          @Nullable String pageToken) {
    var most = PageLimit.parse(limit);
    return users.list(after(pageToken), most + 1).map(found -> page(found, most));
  }

  /** One user. */
  @GET
  @Needs(Permission.IDENTITY_MANAGE)
  @Path("{user_id}")
  @Operation(summary = "Read a user")
  @APIResponse(responseCode = "404", description = "No such user")
  public Uni<UserAnswer> get(@PathParam("user_id") String userId) {
    return users.find(id(userId)).map(UserAnswer::of);
  }

  /** Ends a user. */
  @DELETE
  @Needs(Permission.IDENTITY_MANAGE)
  @Path("{user_id}")
  @Operation(summary = "Delete a user, and end all its logins")
  @APIResponse(responseCode = "204", description = "Deleted")
  @APIResponse(responseCode = "404", description = "No such user")
  @APIResponse(responseCode = "409", description = "It is the caller")
  public Uni<Void> delete(@PathParam("user_id") String userId, RoutingContext request) {
    return users.delete(id(userId), callers.origin(request)).replaceWithVoid();
  }

  /** Replaces what a user may do. */
  @PUT
  @Needs(Permission.IDENTITY_MANAGE)
  @Path("{user_id}/permissions")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Replace a user's permissions",
      description = "Holds for the tokens it has, too.")
  @APIResponse(responseCode = "404", description = "No such user")
  public Uni<UserAnswer> setPermissions(
      @PathParam("user_id") String userId,
      @Nullable NewPermissions permissions,
      RoutingContext request) {
    return users
        .setPermissions(
            id(userId),
            NewUser.permissions(permissions == null ? null : permissions.permissions()),
            callers.origin(request))
        .map(UserAnswer::of);
  }

  /** Sets a password. */
  @PUT
  @Needs({})
  @Path("{user_id}/password")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Set a user's password, and end all its logins",
      description = "Anyone may set their own; that of others needs identity:manage.")
  @APIResponse(responseCode = "204", description = "Set")
  @APIResponse(responseCode = "403", description = "The caller is neither that user nor a manager")
  @APIResponse(responseCode = "404", description = "No such user")
  public Uni<Void> setPassword(
      @PathParam("user_id") String userId, @Nullable NewPassword password, RoutingContext request) {
    requireSelfOrManager(userId, request);
    var valid =
        NewUser.password(password == null ? null : password.password(), settings.minLength());
    return users.setPassword(id(userId), valid, callers.origin(request)).replaceWithVoid();
  }

  /** Ends all logins of a user. */
  @POST
  @Cancellable(false)
  @Needs({})
  @Path("{user_id}/logout")
  @Operation(
      summary = "End all logins of a user",
      description = "Anyone may end their own; those of others need identity:manage.")
  @APIResponse(responseCode = "204", description = "Ended")
  @APIResponse(responseCode = "403", description = "The caller is neither that user nor a manager")
  @APIResponse(responseCode = "404", description = "No such user")
  public Uni<Void> logOut(@PathParam("user_id") String userId, RoutingContext request) {
    requireSelfOrManager(userId, request);
    return users.logOut(id(userId), callers.origin(request)).replaceWithVoid();
  }

  private void requireSelfOrManager(String userId, RoutingContext request) {
    var allowed =
        callers
            .of(request)
            .filter(
                caller ->
                    caller.userId().equals(userId)
                        || caller.permissions().contains(Permission.IDENTITY_MANAGE));
    if (allowed.isEmpty()) {
      throw new Refused(ProblemType.FORBIDDEN, "only " + userId + " itself may do this");
    }
  }

  private static String id(String userId) {
    return Identifier.require("user_id", userId);
  }

  private static UserPage page(List<User> found, int most) {
    var items = found.stream().limit(most).map(UserAnswer::of).toList();
    return new UserPage(
        items,
        found.size() > most
            ? Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(items.get(most - 1).userId().getBytes(UTF_8))
            : null);
  }

  private static String after(@Nullable String pageToken) {
    if (pageToken == null) {
      return "";
    }
    try {
      var id = new String(Base64.getUrlDecoder().decode(pageToken), UTF_8);
      if (Identifier.isValid(id)) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      // answered below, as any other token that was not made here
    }
    throw Refused.field("page_token", "is not a token that this list gave out");
  }
}
