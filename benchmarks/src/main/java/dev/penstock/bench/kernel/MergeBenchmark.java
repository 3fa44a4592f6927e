package dev.penstock.bench.kernel;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;
import dev.penstock.step.MergeResult;
import dev.penstock.target.DuplicatePolicy;

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

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Merging the fragments of one region into its segment, in memory, in nanoseconds per row: the
 * fragments follow each other, as those of an ordered file do, or each has rows from everywhere.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xmx1g"})
public class MergeBenchmark {
    static final int FRAGMENTS = 4;
    static final int ROWS_EACH = 50_000;
    static final int ROWS = FRAGMENTS * ROWS_EACH;
    private static final int TEXT_BYTES = 27_000_000;

    final ByteBuilder segment = new ByteBuilder(16 << 20);

    private List<Merge.Run> following = List.of();
    private List<Merge.Run> mixed = List.of();

    @Setup
    public void setUp() {
        Lineitem.Text text = Lineitem.text(TEXT_BYTES);
        following = Lineitem.fragments(text, FRAGMENTS, ROWS_EACH);
        mixed = Lineitem.fragments(text.shuffled(), FRAGMENTS, ROWS_EACH);
    }

    /** Fragments of an ordered file. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long ordered() {
        return merge(following).rows();
    }

    /** Fragments of a shuffled file. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long shuffled() {
        return merge(mixed).rows();
    }

    List<Merge.Run> fragments(boolean inOrder) {
        return inOrder ? following : mixed;
    }

    private MergeResult merge(List<Merge.Run> runs) {
        segment.clear();
        return new Merge(Lineitem.SCHEMA, MergeLimits.DEFAULT)
                .run(
                        runs,
                        DuplicatePolicy.ERROR,
                        new SegmentIdentity(0, 0, 0),
                        new Merge.Output() {
                            @Override
                            public ByteSink open(int ordinal) {
                                return segment;
                            }

                            @Override
                            public void close(int ordinal, SegmentSummary summary) {
                                // One segment takes all rows.
                            }
                        });
    }
}
