package dev.fencepost;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quarkus.test.junit.callback.QuarkusTestBeforeEachCallback;
import io.quarkus.test.junit.callback.QuarkusTestMethodContext;
import io.restassured.RestAssured;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Every request of a {@code QuarkusTest} is the admin's, unless it has an {@code Authorization} of
 * its own or goes out with {@code noFilters()}.
 */
public final class LoggedIn implements QuarkusTestBeforeEachCallback, Filter {

  /** The password of {@code admin} in tests. */
  public static final String ADMIN_PASSWORD = "only-in-tests";

  private static final Map<String, String> TOKENS = new ConcurrentHashMap<>();

  @Override
  public void beforeEach(QuarkusTestMethodContext context) {
    if (RestAssured.filters().stream().noneMatch(LoggedIn.class::isInstance)) {
      RestAssured.filters(this);
    }
  }

  @Override
  public Response filter(
      FilterableRequestSpecification request,
      FilterableResponseSpecification response,
      FilterContext context) {
    var target = URI.create(request.getURI());
    if (!request.getHeaders().hasHeaderWithName("Authorization")
        && target.getPath().startsWith("/v1/")) {
      request.header("Authorization", "Bearer " + tokenAt(target));
    }
    return context.next(request, response);
  }

  /** A request as the admin's, for clients that RestAssured does not send. */
  public static HttpRequest asAdmin(HttpRequest request) {
    return asAdmin(request, request.uri());
  }

  /** The same, of a login elsewhere: where the request goes, nothing may be answered. */
  public static HttpRequest asAdmin(HttpRequest request, URI where) {
    return HttpRequest.newBuilder(request, (name, value) -> true)
        .header("Authorization", "Bearer " + tokenAt(where))
        .build();
  }

  private static String tokenAt(URI target) {
    return TOKENS.computeIfAbsent(
        target.getAuthority(), here -> token("http://" + here, "admin", ADMIN_PASSWORD));
  }

  /** A fresh access token for a user. */
  public static String token(String base, String user, String password) {
    var form =
        "grant_type=password&username=%s&password=%s"
            .formatted(URLEncoder.encode(user, UTF_8), URLEncoder.encode(password, UTF_8));
    var request =
        HttpRequest.newBuilder(URI.create(base + "/oauth/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    try {
      var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new AssertionError("no token for " + user + ": " + answer.body());
      }
      return JsonPath.from(answer.body()).getString("access_token");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
