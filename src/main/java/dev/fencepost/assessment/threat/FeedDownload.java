package dev.fencepost.assessment.threat;

import dev.fencepost.platform.outgoing.ForbiddenAddress;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import dev.fencepost.platform.outgoing.OutgoingHttp.Reach;
import dev.fencepost.platform.outgoing.OutgoingHttp.Request;
import dev.fencepost.platform.outgoing.Unreachable;
import io.smallrye.mutiny.Uni;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/** Fetches a feed over HTTP. */
final class FeedDownload {

  /** EPSS answers "current" with a redirect to a day's file; a chain of more is a loop. */
  static final int MAX_REDIRECTS = 3;

  private static final int OK = 200;
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final OutgoingHttp http;
  private final FeedConfig config;

  FeedDownload(OutgoingHttp http, FeedConfig config) {
    this.http = http;
    this.config = config;
  }

  /** The bytes as they came; fails with {@link UnusableFeed} if there are none. */
  Uni<byte[]> fetch(URI target) {
    return fetch(target, Reach.TRUSTED, MAX_REDIRECTS)
        .onFailure(Unreachable.class)
        .transform(failure -> new UnusableFeed("no answer: " + failure.getMessage()))
        .onFailure(ForbiddenAddress.class)
        .transform(failure -> new UnusableFeed("not allowed: " + failure.getMessage()));
  }

  private Uni<byte[]> fetch(URI target, Reach reach, int redirectsLeft) {
    return http.send(request(target, reach))
        .flatMap(answer -> bodyOrNext(answer, target, redirectsLeft));
  }

  private Uni<byte[]> bodyOrNext(Answer answer, URI target, int redirectsLeft) {
    if (answer.status() == OK) {
      return Uni.createFrom().item(answer.body());
    }
    var next = answer.header("location");
    if (!REDIRECTS.contains(answer.status()) || next.isEmpty()) {
      return unusable("it answered " + answer.status());
    }
    return redirectsLeft == 0
        ? unusable("it redirects more than " + MAX_REDIRECTS + " times")
        : follow(target, next.get(), redirectsLeft - 1);
  }

  /** The operator vouched for the first address only, so the next one meets the address guard. */
  private Uni<byte[]> follow(URI from, String location, int redirectsLeft) {
    URI next;
    try {
      next = from.resolve(location);
    } catch (IllegalArgumentException e) {
      return unusable("it redirects to what is no URL");
    }
    var isAllowed =
        "https".equalsIgnoreCase(next.getScheme())
            || ("http".equalsIgnoreCase(next.getScheme())
                && "http".equalsIgnoreCase(from.getScheme()));
    return isAllowed
        ? fetch(next, Reach.GUARDED, redirectsLeft)
        : unusable("it redirects away from https");
  }

  private Request request(URI target, Reach reach) {
    return new Request(
        "GET", target, Map.of(), new byte[0], config.timeout(), maxAnswerBytes(), reach);
  }

  private int maxAnswerBytes() {
    return (int) Math.min(config.maxSize().asLongValue(), Integer.MAX_VALUE);
  }

  private static <T> Uni<T> unusable(String what) {
    return Uni.createFrom().failure(new UnusableFeed(what));
  }
}
