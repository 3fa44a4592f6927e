package dev.penstock.sampler;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kernel.KernelSelection;
import dev.penstock.key.KeyCodec;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.reject.Reject;
import dev.penstock.sampler.probe.BlockPlanner;
import dev.penstock.sampler.probe.BlockReader;
import dev.penstock.sampler.probe.ProbeBlock;
import dev.penstock.sampler.probe.SampleSource;
import dev.penstock.sampler.profile.ColumnProfiler;
import dev.penstock.sampler.sketch.KeySketch;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Takes a sample: reads blocks spread over all sources, converts their records with the same {@link
 * Deserialize} that the load will use, and sketches the keys of the good rows.
 *
 * <p>Only about {@link #PROFILED_ROWS} rows are converted whole and profiled, in blocks spread over
 * the sample; of the others the key, and byte strings for their lengths.
 *
 * <p>Keys are weighted by the plain bytes of their row, so that regions get equal bytes. Weights
 * are rounded at random to small whole numbers around {@link #MEAN_WEIGHT}, which keeps the sketch
 * cheap and the expectation right.
 *
 * <p>In a quoted dialect a block may start within a quoted field. The start of the first record is
 * then guessed: of the next few line ends the first is taken after which the block's records fit
 * the table, or else the one with the fewest misfits. A wrong guess costs sample rows, never
 * correctness: the load itself cuts exactly.
 *
 * <p>Owned by one thread; one object takes one sample.
 */
public final class Sampler {
    /** Most rows a sample may have. */
    public static final int MAX_ROWS = 4_000_000;

    /** Rows that are looked at in all columns, about, and at least. */
    static final int PROFILED_ROWS = 20_000;

    private static final int MEAN_WEIGHT = 2;
    private static final int MAX_WEIGHT = 64;
    private static final int START_GUESSES = 8;
    private static final int KEPT_REJECTS = 10;
    private static final long KEPT_KEY_BYTES = 64L << 20;

    private final SampleRequest request;
    private final TableSchema schema;
    private final List<? extends SampleSource> sources;
    private final Deserialize deserialize;
    private final SampleColumns keyColumns;
    private final Deserialize keyDeserialize;
    private final KeyCodec wholeCodec;
    private final KeyCodec keyCodec;
    private final ColumnProfiler profiler;
    private final TextSample texts;
    private final KeySketch sketch = new KeySketch();
    private final SplittableRandom random;
    private final ColumnBatch batch;
    private final ColumnBatch keyBatch;
    private final List<KeyBlock> blockKeys = new ArrayList<>();
    private final List<Reject> firstRejects = new ArrayList<>();
    private final ByteBuilder keyBytes = new ByteBuilder(1 << 16);
    private final int fixedBytes;
    private int[] rowBytes = new int[0];
    private long keptKeyBytesPerBlock;
    private double meanRowBytes;
    private long rows;
    private long records;
    private long checkedRecords;
    private long recordBytes;
    private long rejects;
    private int guessedBlocks;

    private Sampler(List<? extends SampleSource> sources, SampleRequest request) {
        this.request = request;
        this.sources = sources;
        schema = request.schema();
        deserialize = new Deserialize(schema, request.dialect(), request.fieldColumns(), 0);
        wholeCodec = new KeyCodec(schema);
        keyColumns = SampleColumns.of(schema, request.fieldColumns());
        keyDeserialize =
                new Deserialize(
                        keyColumns.schema(), request.dialect(), keyColumns.fieldColumns(), 0);
        keyCodec = new KeyCodec(keyColumns.schema());
        keyBatch = ColumnBatch.forColumns(keyColumns.schema().columns(), 1024);
        profiler = new ColumnProfiler(schema);
        texts = new TextSample(schema);
        random = new SplittableRandom(request.seed());
        batch = ColumnBatch.forColumns(schema.columns(), 1024);
        int fixed = 0;
        for (int i = 0; i < schema.columnCount(); i++) {
            if (schema.column(i).type().kind() == PhysicalKind.LONG) {
                fixed += schema.column(i).type().plainBytes();
            }
        }
        fixedBytes = fixed;
    }

    /** Reads the sample; the sources stay the caller's. */
    public static Sample take(List<? extends SampleSource> sources, SampleRequest request) {
        KernelSelection.beginBrief();
        try {
            return new Sampler(sources, request).run();
        } finally {
            KernelSelection.endBrief();
        }
    }

    private Sample run() {
        double bytesWanted =
                Math.min(request.rows(), MAX_ROWS) * Math.max(2, request.recordBytes());
        List<ProbeBlock> blocks =
                BlockPlanner.plan(
                        sources,
                        (long) bytesWanted,
                        request.recordBytes(),
                        request.regionCount(),
                        request.seed());
        keptKeyBytesPerBlock = KEPT_KEY_BYTES / Math.max(1, blocks.size());
        BlockReader reader =
                new BlockReader(
                        sources,
                        new RecordBoundary(
                                request.dialect(), RecordBoundary.DEFAULT_MAX_RECORD_BYTES));
        long sampleBytes = 0;
        for (ProbeBlock block : blocks) {
            sampleBytes += block.length();
        }
        double profiledShare =
                Math.min(1, PROFILED_ROWS * Math.max(2, request.recordBytes()) / sampleBytes);
        texts.begin((int) Math.ceil(blocks.size() * profiledShare));
        double due = 1;
        for (ProbeBlock block : blocks) {
            boolean whole = due >= 1 || schema.hiddenRowId();
            if (reader.read(block)) {
                int start = reader.exact() ? reader.start() : guessStart(reader);
                addBlock(reader, start, block.source(), whole);
            }
            due += whole ? profiledShare - 1 : profiledShare;
        }
        return new Sample(
                sketch,
                blockKeys,
                profiler.profiles(),
                texts.train(profiler.profiles()),
                rows,
                records,
                recordBytes,
                checkedRecords,
                List.copyOf(firstRejects),
                rejects,
                guessedBlocks);
    }

    private int guessStart(BlockReader reader) {
        if (!request.dialect().quoted()) {
            return reader.start();
        }
        guessedBlocks++;
        int best = reader.start();
        double bestMisfit = Double.MAX_VALUE;
        int candidate = reader.start();
        for (int i = 0; i < START_GUESSES && candidate >= 0; i++) {
            double misfit = misfit(reader, candidate);
            if (misfit < bestMisfit) {
                best = candidate;
                bestMisfit = misfit;
            }
            if (misfit == 0) {
                return candidate;
            }
            candidate = reader.nextStart(candidate);
        }
        return best;
    }

    /** Share of the block's records that do not fit if a record starts here; 1 without records. */
    private double misfit(BlockReader reader, int start) {
        batch.clear();
        int end = reader.endFrom(start);
        deserialize.run(reader.text(), start, end, 0, 0, 0, batch, reject -> {});
        long count = deserialize.recordCount();
        return count == 0 ? 1 : (double) (count - batch.rowCount()) / count;
    }

    private void addBlock(BlockReader reader, int start, int source, boolean whole) {
        int end = reader.endFrom(start);
        if (end <= start) {
            return;
        }
        if (whole) {
            batch.clear();
            deserialize.run(reader.text(), start, end, source, 0, 0, batch, this::addReject);
            records += deserialize.recordCount();
            checkedRecords += deserialize.recordCount();
            rows += batch.rowCount();
            profiler.add(batch);
            texts.add(batch);
        } else {
            keyBatch.clear();
            keyDeserialize.run(reader.text(), start, end, source, 0, 0, keyBatch, reject -> {});
            records += keyDeserialize.recordCount();
            rows += keyBatch.rowCount();
        }
        recordBytes += end - start;
        if (!schema.hiddenRowId()) {
            addKeys(whole ? batch : keyBatch, whole ? wholeCodec : keyCodec);
        }
    }

    private void addReject(Reject reject) {
        rejects++;
        if (firstRejects.size() < KEPT_REJECTS) {
            firstRejects.add(reject);
        }
    }

    private void addKeys(ColumnBatch keys, KeyCodec codec) {
        int rowCount = keys.rowCount();
        if (rowCount == 0) {
            return;
        }
        findRowBytes(keys);
        keyBytes.clear();
        int[] ends = new int[rowCount];
        int kept = 0;
        for (int row = 0; row < rowCount; row++) {
            int from = keyBytes.length();
            codec.encode(keys, row, keyBytes);
            int to = keyBytes.length();
            sketch.add(keyBytes.array(), from, to, weight(rowBytes[row]));
            if (to <= keptKeyBytesPerBlock) {
                ends[kept++] = to;
            }
        }
        int bytes = kept == 0 ? 0 : ends[kept - 1];
        blockKeys.add(
                new KeyBlock(Arrays.copyOf(keyBytes.array(), bytes), Arrays.copyOf(ends, kept)));
    }

    /** Finds the plain bytes of each row, and the mean if these are the first rows. */
    private void findRowBytes(ColumnBatch keys) {
        int rowCount = keys.rowCount();
        if (rowBytes.length < rowCount) {
            rowBytes = new int[rowCount];
        }
        Arrays.fill(rowBytes, 0, rowCount, fixedBytes);
        long total = (long) fixedBytes * rowCount;
        for (int i = 0; i < keys.columnCount(); i++) {
            if (keys.column(i) instanceof BytesColumn values) {
                int[] offsets = values.offsets();
                total += offsets[rowCount];
                for (int row = 0; row < rowCount; row++) {
                    rowBytes[row] += offsets[row + 1] - offsets[row];
                }
            }
        }
        if (meanRowBytes == 0) {
            meanRowBytes = Math.max(1, (double) total / rowCount);
        }
    }

    private int weight(int bytes) {
        double exact = MEAN_WEIGHT * bytes / meanRowBytes + random.nextDouble();
        return (int) Math.min(MAX_WEIGHT, exact);
    }
}
