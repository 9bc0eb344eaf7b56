package dev.fencepost.assessment.threat;

import dev.fencepost.platform.outgoing.OutgoingHttp;
import io.smallrye.mutiny.Uni;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Answers what it was told to, in order, and remembers what it was asked. */
final class ScriptedHttp implements OutgoingHttp {

  final List<Request> asked = new ArrayList<>();
  private final Deque<Uni<Answer>> answers = new ArrayDeque<>();

  ScriptedHttp answering(int status, String body) {
    return answering(status, body.getBytes(StandardCharsets.UTF_8));
  }

  ScriptedHttp answering(int status, byte[] body) {
    answers.add(Uni.createFrom().item(new Answer(status, Map.of(), body)));
    return this;
  }

  ScriptedHttp redirecting(String location) {
    answers.add(Uni.createFrom().item(new Answer(302, Map.of("location", location), new byte[0])));
    return this;
  }

  ScriptedHttp failing(RuntimeException failure) {
    answers.add(Uni.createFrom().failure(failure));
    return this;
  }

  @Override
  public Uni<Answer> send(Request request) {
    asked.add(request);
    return answers.remove();
  }
}
