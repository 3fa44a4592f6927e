package dev.penstock.bench.kernel;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/** The checksum that every block has, over blocks of 64 kB, in MB/s per core. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xmx1g"})
public class ChecksumBenchmark {
    private static final int BLOCK_BYTES = 62_500;
    private static final int MEGABYTES = 4;

    final byte[] bytes = new byte[MEGABYTES * 1_000_000];
    private final CRC32C crc = new CRC32C();

    public ChecksumBenchmark() {
        new SplittableRandom(1).nextBytes(bytes);
    }

    /** The sum of all blocks' checksums. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public long blocks() {
        long sum = 0;
        for (int at = 0; at < bytes.length; at += BLOCK_BYTES) {
            crc.reset();
            crc.update(bytes, at, BLOCK_BYTES);
            sum += crc.getValue();
        }
        return sum;
    }
}
