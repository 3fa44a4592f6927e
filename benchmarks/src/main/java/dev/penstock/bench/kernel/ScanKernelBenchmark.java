package dev.penstock.bench.kernel;

import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;
import dev.penstock.kernel.KernelSelection;
import dev.penstock.kernel.ScanKernels;

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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Finding all delimiters and line ends of lineitem text, in MB/s of text per core: one operation is
 * 10^6 bytes. {@code ScanKernelBenchmarkTest} checks that what is measured is right.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xmx1g"})
public class ScanKernelBenchmark {
    static final int TEXT_BYTES = 8_000_000;
    private static final int MEGABYTES = 8;

    /** Text in which delimiters are as dense as they get in practice. */
    final byte[] text = lineitem(TEXT_BYTES);

    final int[] positions = new int[TEXT_BYTES + ScanKernels.POSITION_SLACK];
    final long[] masks = new long[(TEXT_BYTES + 63) / 64 + ScanKernels.MASK_SLACK];
    final long[] scratch = new long[ScanKernels.SCRATCH_WORDS];

    /** Positions of delimiters and line ends, as fast mode needs them. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public long lines() {
        return ScanKernels.lines(text, 0, text.length, (byte) '|', positions, 0, scratch);
    }

    /** One bit a byte, as quoted mode needs it for each special character. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public int masks() {
        return ScanKernels.masks(text, 0, text.length, (byte) '|', masks);
    }

    /** Whether text needs no UTF-8 validation. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public boolean ascii() {
        return ScanKernels.isAscii(text, 0, text.length);
    }

    /** The kernels that this JVM runs, for the record of a measurement. */
    static String kernels() {
        return KernelSelection.chosen();
    }

    private static byte[] lineitem(int bytes) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(2 * bytes);
        try {
            new TpchWriter(TpchTable.LINEITEM, 0.02, 1).writeTo(text, written -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Arrays.copyOf(text.toByteArray(), bytes);
    }
}
