package dev.fencepost.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who pays for a request: its address at first, its caller once that is proven. */
class RateLimitTest {

  private static final int BURST = 5;

  private final FewLimits settings = new FewLimits(1, BURST, 1000);
  private final RateLimit limit = limit(settings);
  private boolean admitted;

  @Test
  void callers_behind_one_address_have_a_budget_each() {
    assertThat(IntStream.range(0, 100))
        .allMatch(
            i -> {
              var request = from("192.0.2.1");
              limit.check(request, settings.rate());
              limit.charge(request, "user-" + i);
              return admitted;
            });
  }

  @Test
  void a_caller_has_one_budget_wherever_it_comes_from() {
    IntStream.range(0, BURST).forEach(i -> ask("192.0.2." + i, "hasty"));

    assertThatThrownBy(() -> ask("192.0.2.99", "hasty"))
        .isInstanceOf(Refused.class)
        .extracting("type")
        .isEqualTo(ProblemType.TOO_MANY_REQUESTS);
    ask("192.0.2.99", "another");
  }

  @Test
  void whoever_proves_nothing_is_charged_to_its_address() {
    assertThat(
            IntStream.range(0, 3 * BURST)
                .filter(
                    i -> {
                      limit.check(from("192.0.2.1"), settings.rate());
                      return admitted;
                    })
                .count())
        .isEqualTo(BURST);

    limit.check(from("192.0.2.2"), settings.rate());
    assertThat(admitted).isTrue();
  }

  @Test
  void a_rate_of_0_limits_nobody() {
    var off = limit(new FewLimits(0, BURST, 1000));

    assertThat(IntStream.range(0, 100)).allSatisfy(i -> off.charge(from("192.0.2.1"), "hasty"));
  }

  private void ask(String address, String user) {
    var request = from(address);
    limit.check(request, settings.rate());
    limit.charge(request, user);
  }

  private RateLimit limit(FewLimits given) {
    var clock =
        new Entropy() {
          @Override
          public long nanoTime() {
            return 0;
          }
        };
    return new RateLimit(
        given,
        new CallerBudgets(given, clock),
        new Problems(null, null) {
          @Override
          void send(RoutingContext request, ProblemType type, String detail) {
            admitted = false;
          }
        },
        new SimpleMeterRegistry());
  }

  private RoutingContext from(String address) {
    Map<String, Object> notes = new HashMap<>();
    var headers = MultiMap.caseInsensitiveMultiMap();
    var remote = SocketAddress.inetSocketAddress(1, address);
    var response = fake(HttpServerResponse.class, (method, arguments) -> headers);
    var request = fake(HttpServerRequest.class, (method, arguments) -> remote);
    return fake(
        RoutingContext.class,
        (method, arguments) ->
            switch (method) {
              case "get" -> notes.get((String) arguments[0]);
              case "put" -> notes.put((String) arguments[0], arguments[1]);
              case "request" -> request;
              case "response" -> response;
              case "normalizedPath" -> "/v1/assets";
              case "next" -> admitted = true;
              default -> throw new AssertionError(method);
            });
  }

  private static <T> T fake(Class<T> type, BiFunction<String, Object[], Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              var answer = answers.apply(method.getName(), arguments);
              return method.getReturnType() == void.class || method.getName().equals("put")
                  ? null
                  : answer;
            }));
  }
}
