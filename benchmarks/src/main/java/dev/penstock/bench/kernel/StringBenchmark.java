package dev.penstock.bench.kernel;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.dict.BytesDictionaryBuilder;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenEncoder;
import dev.penstock.dict.TokenTable;

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

import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Byte strings to tokens and to codes of a dictionary, in nanoseconds per string. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xmx1g"})
public class StringBenchmark {
    static final int ROWS = 1 << 15;
    private static final int TEXT_BYTES = 5_000_000;
    private static final long[] NO_NULLS = new long[0];

    final ColumnBatch rows = Lineitem.emptyBatch();
    final TokenTable table;
    final TokenColumn tokens = new TokenColumn();
    final int[] codes = new int[ROWS];
    final BytesDictionaryBuilder instructions = new BytesDictionaryBuilder();
    final BytesDictionaryBuilder modes = new BytesDictionaryBuilder();
    private final TokenEncoder encoder = new TokenEncoder();

    public StringBenchmark() {
        Lineitem.append(Lineitem.deserialize(), Lineitem.text(TEXT_BYTES), rows);
        if (rows.rowCount() < ROWS) {
            throw new IllegalStateException("the text has only " + rows.rowCount() + " rows");
        }
        table = Objects.requireNonNull(Lineitem.tokens(rows).table(Lineitem.COMMENT));
    }

    /** Comments of 27 bytes to tokens. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public TokenColumn comments() {
        BytesColumn column = rows.bytes(Lineitem.COMMENT);
        encoder.encode(table, column.offsets(), column.data(), 0, ROWS, tokens, 0);
        return tokens;
    }

    /** Four strings of 4 to 17 bytes. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int instructions() {
        return distinct(instructions, Lineitem.INSTRUCTION);
    }

    /** Seven strings of 3 to 7 bytes. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int modes() {
        return distinct(modes, Lineitem.MODE);
    }

    private int distinct(BytesDictionaryBuilder builder, int index) {
        BytesColumn column = rows.bytes(index);
        builder.run(column.offsets(), column.data(), 0, ROWS, NO_NULLS, 1 << 12, codes);
        return builder.dictionary().size();
    }
}
