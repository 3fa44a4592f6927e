package dev.penstock.bench.kernel;

import dev.penstock.kernel.BitPacking;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Bit packing of one block, in nanoseconds per value. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xmx1g"})
public class PackingBenchmark {
    static final int BLOCK = 8192;
    private static final long BASE = 1000;

    final long[] values = new long[BLOCK];
    final long[] unpacked = new long[BLOCK];
    final byte[] packed = new byte[8 * BLOCK + BitPacking.PACK_SLACK];

    /** Binary digits of a value. */
    @Param({"3", "12", "20", "40"})
    int bits = 12;

    @Setup
    public void setUp() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < BLOCK; i++) {
            values[i] = BASE + random.nextLong(1L << bits);
        }
        BitPacking.pack(values, 0, BLOCK, BASE, bits, packed, 0);
    }

    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public byte[] pack() {
        BitPacking.pack(values, 0, BLOCK, BASE, bits, packed, 0);
        return packed;
    }

    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public long[] unpack() {
        BitPacking.unpack(packed, 0, 0, BLOCK, bits, BASE, unpacked, 0);
        return unpacked;
    }
}
