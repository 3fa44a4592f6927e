package dev.penstock.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/**
 * Clocks of CPU time, user and system, in seconds since some start; NaN where the system does not
 * tell. They count in hundredths of a second.
 */
public final class CpuTime {
    private static final double TICKS_PER_SECOND = 100;
    private static final int USER_TIME = 11;
    private static final double LOOK_SECONDS = 0.5;
    private static final int MOST_LOOKS = 120;
    private static final int CHILDREN_SYSTEM_TIME = 14;

    private CpuTime() {}

    /** This process. */
    public static DoubleSupplier own() {
        return () ->
                ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .map(CpuTime::seconds)
                        .orElse(Double.NaN);
    }

    /** All processes that this one started and that have ended, with those that they started. */
    public static DoubleSupplier endedChildren() {
        return () -> stat(ProcessHandle.current().pid(), USER_TIME + 2);
    }

    /** A running process with all that it started, ended or not. */
    public static DoubleSupplier tree(long pid) {
        return () -> {
            double sum = stat(pid, USER_TIME);
            try (Stream<ProcessHandle> all =
                    ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants)) {
                for (ProcessHandle process : all.toList()) {
                    double one = stat(process.pid(), USER_TIME);
                    sum += Double.isNaN(one) ? 0 : one;
                }
            }
            return sum;
        };
    }

    /** Waits until less than a tenth of a core is used, a minute at most; not at all if NaN. */
    public static void awaitRest(DoubleSupplier clock) {
        double before = Double.NEGATIVE_INFINITY;
        double now = clock.getAsDouble();
        for (int i = 0; i < MOST_LOOKS && now - before > LOOK_SECONDS / 10; i++) {
            before = now;
            LockSupport.parkNanos((long) (LOOK_SECONDS * 1e9));
            now = clock.getAsDouble();
        }
    }

    /** Adds up fields of /proc/PID/stat from the given one, counted after the command's name. */
    private static double stat(long pid, int from) {
        String line;
        try {
            line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        } catch (IOException e) {
            return Double.NaN;
        }
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        double ticks = 0;
        for (int i = from; i <= CHILDREN_SYSTEM_TIME; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
