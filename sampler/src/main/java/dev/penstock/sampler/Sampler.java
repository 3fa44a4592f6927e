package dev.penstock.sampler;

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
 * <p>Only some rows are converted whole and profiled, in blocks spread over the sample: as many as
 * have about {@link #PROFILED_VALUES} values. Of the others the key is, and byte strings that may
 * be long, for their lengths; and nothing if there is no key.
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

    /** Values of rows that are looked at in all columns, about, within the bounds that follow. */
    static final int PROFILED_VALUES = 1 << 17;

    private static final int MIN_PROFILED_ROWS = 1_200;
    private static final int MAX_PROFILED_ROWS = 20_000;

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

    /** The first rejects of the last conversion. */
    private final List<Reject> blockRejects = new ArrayList<>();

    private final ByteBuilder keyBytes = new ByteBuilder(1 << 16);
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
        int most = schema.hiddenRowId() ? profiledRows() : MAX_ROWS;
        double bytesWanted = Math.min(request.rows(), most) * Math.max(2, request.recordBytes());
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
                Math.min(1, profiledRows() * Math.max(2, request.recordBytes()) / sampleBytes);
        texts.begin((int) Math.ceil(blocks.size() * profiledShare));
        double due = 1;
        for (ProbeBlock block : blocks) {
            boolean whole = due >= 1 || schema.hiddenRowId();
            if (reader.read(block)) {
                addBlock(reader, block.source(), whole);
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

    private int profiledRows() {
        return Math.clamp(
                PROFILED_VALUES / schema.columnCount(), MIN_PROFILED_ROWS, MAX_PROFILED_ROWS);
    }

    private void addBlock(BlockReader reader, int source, boolean whole) {
        int start = reader.start();
        if (reader.exact() || !request.dialect().quoted()) {
            convert(reader, start, source, whole);
        } else {
            guessedBlocks++;
            start = guessStart(reader, source, whole);
        }
        int end = reader.endFrom(start);
        if (end <= start) {
            return;
        }
        Deserialize used = whole ? deserialize : keyDeserialize;
        ColumnBatch converted = whole ? batch : keyBatch;
        records += used.recordCount();
        rows += converted.rowCount();
        recordBytes += end - start;
        if (whole) {
            checkedRecords += used.recordCount();
            rejects += used.recordCount() - converted.rowCount();
            firstRejects.addAll(
                    blockRejects.subList(
                            0, Math.min(blockRejects.size(), KEPT_REJECTS - firstRejects.size())));
            profiler.add(converted);
            texts.add(converted);
        }
        if (!schema.hiddenRowId()) {
            addKeys(converted, whole);
        }
    }

    /** Converts the records from the start that fits best on, and returns it. */
    private int guessStart(BlockReader reader, int source, boolean whole) {
        int best = reader.start();
        double bestMisfit = Double.MAX_VALUE;
        int candidate = best;
        for (int i = 0; i < START_GUESSES && candidate >= 0; i++) {
            double misfit = convert(reader, candidate, source, whole);
            if (misfit == 0) {
                return candidate;
            }
            if (misfit < bestMisfit) {
                best = candidate;
                bestMisfit = misfit;
            }
            candidate = reader.nextStart(candidate);
        }
        convert(reader, best, source, whole);
        return best;
    }

    /**
     * Converts the block's records if one starts at {@code start}. Returns the share of them that
     * do not fit the table; 1 without records.
     */
    private double convert(BlockReader reader, int start, int source, boolean whole) {
        Deserialize used = whole ? deserialize : keyDeserialize;
        ColumnBatch converted = whole ? batch : keyBatch;
        converted.clear();
        blockRejects.clear();
        used.run(
                reader.text(),
                start,
                Math.max(start, reader.endFrom(start)),
                source,
                0,
                0,
                converted,
                this::keepReject);
        long count = used.recordCount();
        return count == 0 ? 1 : (double) (count - converted.rowCount()) / count;
    }

    private void keepReject(Reject reject) {
        if (blockRejects.size() < KEPT_REJECTS) {
            blockRejects.add(reject);
        }
    }

    private void addKeys(ColumnBatch keys, boolean whole) {
        int rowCount = keys.rowCount();
        if (rowCount == 0) {
            return;
        }
        findRowBytes(keys, whole);
        KeyCodec codec = whole ? wholeCodec : keyCodec;
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
    private void findRowBytes(ColumnBatch keys, boolean whole) {
        int rowCount = keys.rowCount();
        if (rowBytes.length < rowCount) {
            rowBytes = new int[rowCount];
        }
        keyColumns.findRowBytes(keys, whole, rowBytes);
        if (meanRowBytes == 0) {
            long total = 0;
            for (int row = 0; row < rowCount; row++) {
                total += rowBytes[row];
            }
            meanRowBytes = Math.max(1, (double) total / rowCount);
        }
    }

    private int weight(int bytes) {
        double exact = MEAN_WEIGHT * bytes / meanRowBytes + random.nextDouble();
        return (int) Math.min(MAX_WEIGHT, exact);
    }
}
