package dev.penstock.bench.kernel;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.ChunkReader;
import dev.penstock.loader.file.Inputs;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.Deserialize;
import dev.penstock.step.Encode;
import dev.penstock.step.Sort;

import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The steps of a loader on one chunk of lineitem, in MB/s of text per core: one operation is 10^6
 * bytes of text, whatever has become of it. {@code StepBenchmarkTest} checks that what is measured
 * is right.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xmx1g"})
public class StepBenchmark {
    static final int TEXT_BYTES = 8_000_000;
    private static final int MEGABYTES = 8;

    final Lineitem.Text text = Lineitem.text(TEXT_BYTES);
    final ColumnBatch rows = Lineitem.emptyBatch();
    final ColumnBatch parsed = Lineitem.emptyBatch();
    final ByteBuilder image = new ByteBuilder(1 << 22);

    private final Deserialize deserialize = Lineitem.deserialize();
    private final Sort sort = new Sort(Lineitem.SCHEMA);
    private final Encode encode = new Encode(Lineitem.SCHEMA);
    private final Encode encodeTokens = new Encode(Lineitem.SCHEMA, Lineitem.tokens(text));
    private final Encode.Choice[] choices = Lineitem.choices();
    private final ChunkReader reader = new ChunkReader();
    private final Chunk chunk = new Chunk();
    private @Nullable Path file;
    private @Nullable Inputs inputs;

    @Setup
    public void setUp() throws IOException {
        Lineitem.append(deserialize, text, rows);
        file = Files.createTempFile("penstock-bench-", ".tbl");
        Files.write(file, Arrays.copyOf(text.bytes(), text.length()));
        inputs = Inputs.open(List.of(file.toString()), InputStream.nullInputStream());
    }

    @TearDown
    public void tearDown() throws IOException {
        if (inputs != null) {
            inputs.close();
        }
        if (file != null) {
            Files.delete(file);
        }
    }

    /** Text in memory to rows. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public int deserialize() {
        parsed.clear();
        Lineitem.append(deserialize, text, parsed);
        return parsed.rowCount();
    }

    /** A file in the page cache to rows, in parts, as records that are lines are read. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public int readAndDeserialize() {
        Inputs open = inputs;
        if (open == null) {
            throw new IllegalStateException("setUp was not called");
        }
        parsed.clear();
        ChunkLease lease = new ChunkLease(0, 0, 0, text.length(), false);
        reader.read(lease, open.text(0), 0, text.length(), chunk);
        do {
            deserialize.run(
                    chunk.text(),
                    chunk.from(),
                    chunk.to(),
                    0,
                    chunk.position(),
                    0,
                    parsed,
                    reject -> {
                        throw new IllegalStateException("rejected: " + reject);
                    });
        } while (chunk.next());
        return parsed.rowCount();
    }

    /** Rows to a fragment: dictionaries and packing. Comments stay as they are. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public int encode() {
        return encode(encode, rows);
    }

    /** Rows to a fragment as a load sends it, with comments as tokens. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public int encodeTokens() {
        return encode(encodeTokens, rows);
    }

    /** A file in the page cache to a fragment whose comments stay as they are. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public int readToFragment() {
        readAndDeserialize();
        return encode(encode, sort.run(parsed));
    }

    /**
     * A file in the page cache to a fragment with comments as tokens: all that a loader does for
     * one region, but for the sums that prove its arrival.
     */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public int readToTokens() {
        readAndDeserialize();
        return encode(encodeTokens, sort.run(parsed));
    }

    private int encode(Encode step, ColumnBatch batch) {
        image.clear();
        SegmentIdentity identity = new SegmentIdentity(0, 0, 0);
        step.run(batch, 0, batch.rowCount(), choices, true, identity, image);
        return image.length();
    }
}
