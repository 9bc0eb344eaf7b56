package dev.fencepost.bench;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What Redis has done so far, by its own account. A command inside a script is counted by itself
 * and in the time of the script.
 *
 * @param commands calls and microseconds by command
 * @param cpuMicros of the main thread, system calls included
 */
record ServerTime(Map<String, long[]> commands, double cpuMicros, long bytes) {

  private static final int CALLS = 0;
  private static final int MICROS = 1;

  static ServerTime of(Resp redis) {
    var commands =
        fields(redis, "commandstats").entrySet().stream()
            .collect(
                Collectors.toMap(
                    field -> field.getKey().substring("cmdstat_".length()),
                    field -> numbers(field.getValue())));
    var cpu = fields(redis, "cpu");
    var stats = fields(redis, "stats");
    var suffix = cpu.containsKey("used_cpu_user_main_thread") ? "_main_thread" : "";
    return new ServerTime(
        commands,
        1e6
            * (Double.parseDouble(cpu.get("used_cpu_user" + suffix))
                + Double.parseDouble(cpu.get("used_cpu_sys" + suffix))),
        Long.parseLong(stats.get("total_net_input_bytes"))
            + Long.parseLong(stats.get("total_net_output_bytes")));
  }

  /** What was done between two looks. */
  ServerTime since(ServerTime before) {
    var done = new HashMap<String, long[]>();
    commands.forEach(
        (name, now) -> {
          var then = before.commands.getOrDefault(name, new long[2]);
          done.put(name, new long[] {now[CALLS] - then[CALLS], now[MICROS] - then[MICROS]});
        });
    return new ServerTime(done, cpuMicros - before.cpuMicros, bytes - before.bytes);
  }

  long calls(String... names) {
    return sum(CALLS, names);
  }

  long micros(String... names) {
    return sum(MICROS, names);
  }

  private long sum(int which, String... names) {
    return Arrays.stream(names)
        .mapToLong(name -> commands.getOrDefault(name, new long[2])[which])
        .sum();
  }

  private static long[] numbers(String text) {
    var numbers = new long[2];
    for (var part : text.split(",")) {
      if (part.startsWith("calls=")) {
        numbers[CALLS] = Long.parseLong(part.substring("calls=".length()));
      } else if (part.startsWith("usec=")) {
        numbers[MICROS] = Long.parseLong(part.substring("usec=".length()));
      }
    }
    return numbers;
  }

  static Map<String, String> fields(Resp redis, String section) {
    return redis
        .text("INFO", section)
        .lines()
        .filter(line -> line.indexOf(':') > 0)
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf(':')),
                line -> line.substring(line.indexOf(':') + 1),
                (one, other) -> other));
  }
}
