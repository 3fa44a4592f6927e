package dev.penstock.kv.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Gives a decoder mutations of good messages. It may take them or refuse them as corrupt; it may
 * not fail in another way, take long, or take much more memory than the message has bytes.
 *
 * <p>{@code -Dpenstock.fuzz.executions=N} of each decoder, {@code -Dpenstock.fuzz.seed=N}.
 */
public final class Fuzzer {
    private static final long EXECUTIONS = Long.getLong("penstock.fuzz.executions", 15_000);
    private static final long SEED = Long.getLong("penstock.fuzz.seed", 1);
    private static final int MAX_SHOWN = 10;
    private static final long MAX_NANOS = 5_000_000_000L;

    /** Most bytes that one byte of a message may make a decoder take, and what it always may. */
    private static final long BYTES_PER_BYTE = 256;

    private static final long FREE_BYTES = 8 << 20;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What is tested. */
    @FunctionalInterface
    public interface Decoder {
        /**
         * @param message number of the good message that it was made of
         */
        void decode(int message, byte[] bytes);
    }

    private Fuzzer() {}

    /** Of a decoder that refuses some. */
    public static void run(String name, List<byte[]> good, Decoder decoder) {
        for (int i = 0; i < good.size(); i++) {
            decoder.decode(i, good.get(i).clone());
        }
        assertThat(runOnAny(name, good, decoder)).as("refused").isPositive();
    }

    /** Of one that may take everything; returns how often it refused. */
    public static long runOnAny(String name, List<byte[]> good, Decoder decoder) {
        Random random = new Random(SEED);
        List<String> faults = new ArrayList<>();
        long refused = 0;
        for (long n = 0; n < EXECUTIONS && faults.size() < MAX_SHOWN; n++) {
            int message = random.nextInt(good.size());
            byte[] bytes = Mutation.of(good, message, random);
            byte[] copy = bytes.clone();
            long allocated = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            String fault = "";
            try {
                decoder.decode(message, bytes);
            } catch (PenstockException e) {
                refused++;
                fault = e.category() == ErrorCategory.CORRUPT ? "" : e.category() + " " + e;
            } catch (RuntimeException | Error e) {
                fault = e + at(e);
            }
            long nanos = System.nanoTime() - start;
            allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
            if (fault.isEmpty() && nanos > MAX_NANOS) {
                fault = "takes " + nanos / 1_000_000 + " ms";
            }
            if (fault.isEmpty() && allocated > FREE_BYTES + BYTES_PER_BYTE * copy.length) {
                fault = "takes " + allocated + " bytes for " + copy.length;
            }
            if (!fault.isEmpty()) {
                faults.add(n + ", message " + message + ": " + fault + ": " + hex(copy));
            }
        }
        System.out.printf(
                "fuzz: %s: %d executions, %d refused, seed %d, %d violations%n",
                name, EXECUTIONS, refused, SEED, faults.size());
        assertThat(faults).isEmpty();
        return refused;
    }

    private static String at(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(8, trace.length); i++) {
            text.append(" at ").append(trace[i]);
        }
        return text.toString();
    }

    private static String hex(byte[] bytes) {
        int count = Math.min(bytes.length, 200);
        return HexFormat.of().formatHex(bytes, 0, count) + (count < bytes.length ? "..." : "");
    }
}
