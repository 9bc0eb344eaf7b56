package dev.fencepost.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** Stands in a process's way to a store, and can cut it, stall it, or lose the replies. */
final class Proxy implements AutoCloseable {

  private static final int BUFFER = 16 * 1024;
  private static final int STALL_STEP_MS = 20;

  private final ServerSocket server;
  private volatile int target;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean stalled;
  private volatile boolean deafToReplies;
  private volatile boolean away;
  private final AtomicReference<Hold> hold = new AtomicReference<>();

  Proxy(int target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** New connections go there from now on. */
  void leadTo(int port) {
    target = port;
  }

  /** Every connection breaks, now. */
  void cut() {
    open.forEach(Proxy::closeQuietly);
  }

  /** Connections break and new ones are refused, as long as it is true. */
  void setAway(boolean isAway) {
    away = isAway;
    if (isAway) {
      cut();
    }
  }

  /** Nothing gets through, in either direction, and nobody is told. */
  void stall(long millis) {
    stalled = true;
    Patience.pause(millis);
    stalled = false;
  }

  /** Commands arrive and are carried out, but their replies do not come back; then a cut. */
  void loseReplies(long millis) {
    deafToReplies = true;
    Patience.pause(millis);
    cut();
    deafToReplies = false;
  }

  /**
   * The next command with this text in it stays here until it is let go; what follows waits too.
   */
  Hold holdNext(String text) {
    var next = new Hold(text);
    hold.set(next);
    return next;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        try {
          if (away) {
            throw new ConnectException("away");
          }
          connect(client, new Socket(InetAddress.getLoopbackAddress(), target));
        } catch (IOException away) {
          closeQuietly(client);
        }
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket client, Socket redis) throws IOException {
    client.setTcpNoDelay(true);
    redis.setTcpNoDelay(true);
    open.add(client);
    open.add(redis);
    threads.execute(() -> pump(client, redis, false));
    threads.execute(() -> pump(redis, client, true));
  }

  private void pump(Socket from, Socket to, boolean replies) {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      var buffer = new byte[BUFFER];
      for (var n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        while (stalled && !from.isClosed()) {
          Patience.pause(STALL_STEP_MS);
        }
        if (!replies) {
          holdIfWanted(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
        }
        if (!(replies && deafToReplies)) {
          out.write(buffer, 0, n);
        }
      }
    } catch (IOException cut) {
      // The other side is closed with this one: that is what a cut is.
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private void holdIfWanted(String commands) {
    var wanted = hold.get();
    if (wanted != null && wanted.isIn(commands) && hold.compareAndSet(wanted, null)) {
      wanted.enter("");
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyBroken) {
      // Broken is what it should be.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
    threads.shutdownNow();
  }
}
