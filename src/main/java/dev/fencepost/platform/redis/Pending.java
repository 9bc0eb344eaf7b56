package dev.fencepost.platform.redis;

import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.impl.ContextInternal;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import org.jspecify.annotations.Nullable;

/** A command that waits for its reply, and the context its caller wants to hear it on. */
final class Pending {

  final Request request;
  private final UniEmitter<? super Response> emitter;
  private final @Nullable ContextInternal caller;
  private long deadline;
  private boolean settled;

  Pending(Request request, UniEmitter<? super Response> emitter, @Nullable ContextInternal caller) {
    this.request = request;
    this.emitter = emitter;
    this.caller = caller;
  }

  void expireAt(long nanos) {
    deadline = nanos;
  }

  boolean isExpired(long nanos) {
    return nanos - deadline >= 0;
  }

  boolean isSettled() {
    return settled;
  }

  void answer(Response response) {
    settle(() -> emitter.complete(response));
  }

  void fail(Throwable failure) {
    settle(() -> emitter.fail(failure));
  }

  private void settle(Runnable signal) {
    if (settled) {
      return;
    }
    settled = true;
    if (caller == null) {
      signal.run();
    } else {
      caller.emit(signal, Runnable::run);
    }
  }
}
