package dev.penstock.bench.kernel;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.sort.Gather;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Bringing the values of one column into random order, in nanoseconds per value. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xmx1g"})
public class GatherBenchmark {
    static final int ROWS = 1 << 16;
    private static final int COMMENT = 15;
    private static final int TEXT_BYTES = 9_000_000;

    final long[] values = new SplittableRandom(2).longs(ROWS).toArray();
    final long[] gathered = new long[ROWS];
    final int[] order = Lineitem.order(ROWS);
    final ColumnBatch lineitem = Lineitem.emptyBatch();
    final ColumnBatch target = Lineitem.emptyBatch();

    @Setup
    public void setUp() {
        Lineitem.append(Lineitem.deserialize(), Lineitem.text(TEXT_BYTES), lineitem);
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long[] longs() {
        Gather.longs(values, order, 0, ROWS, gathered, 0);
        return gathered;
    }

    /** Comments, of 27 bytes on average. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public BytesColumn strings() {
        BytesColumn comments = target.bytes(COMMENT);
        Gather.rows(lineitem.bytes(COMMENT), lineitem.rowCount(), order, 0, ROWS, comments);
        return comments;
    }
}
