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
import dev.penstock.sampler.profile.ColumnProfile;
import dev.penstock.sampler.profile.ColumnProfiler;
import dev.penstock.sampler.sketch.KeySketch;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Takes a sample: reads blocks spread over all sources, converts their records with the same {@link
 * Deserialize} that the load will use, and sketches the keys of the good rows.
 *
 * <p>Only some rows are converted whole and profiled, in blocks spread over the sample: as many as
 * have about {@link #PROFILED_VALUES} values. Of the others the key is, and byte strings that may
 * be long, for their lengths; and nothing if there is no key.
 *
 * <p>An input whose places come in the order of their keys, as if sorted by key, can be divided
 * evenly by its length: so the request may allow that only the rows that are profiled are looked
 * at, and the first keys at the borders of equal parts. The first place out of order ends that, and
 * the sample is taken anew.
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
    static final int PROFILED_VALUES = 3 << 16;

    private static final int MIN_PROFILED_ROWS = 1_200;
    private static final int MAX_PROFILED_ROWS = 20_000;

    /** Places in so many regions must be in order for the input to be; else in each region. */
    private static final int REGIONS_AS_ONE = 8;

    private static final int MEAN_WEIGHT = 2;
    private static final int MAX_WEIGHT = 64;
    private static final int START_GUESSES = 8;
    private static final int KEPT_REJECTS = 10;

    private final SampleRequest request;
    private final TableSchema schema;
    private final List<? extends SampleSource> sources;
    private final BlockReader reader;
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
    private final List<byte[]> borders = new ArrayList<>();
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
        reader =
                new BlockReader(
                        sources,
                        new RecordBoundary(
                                request.dialect(), RecordBoundary.DEFAULT_MAX_RECORD_BYTES));
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
            if (request.mayDivide()) {
                Sampler sampler = new Sampler(sources, request);
                if (sampler.readInOrder()) {
                    return sampler.sample();
                }
            }
            Sampler sampler = new Sampler(sources, request);
            sampler.readAll();
            return sampler.sample();
        } finally {
            KernelSelection.endBrief();
        }
    }

    private void readAll() {
        int most = schema.hiddenRowId() ? profiledRows() : MAX_ROWS;
        read(plan(Math.min(request.rows(), most), request.regionCount()), false);
    }

    /** Reads rows to profile and the keys at the borders of regions; false if it is all in vain. */
    private boolean readInOrder() {
        int few = (request.regionCount() + REGIONS_AS_ONE - 1) / REGIONS_AS_ONE;
        List<ProbeBlock> blocks = plan(Math.min(request.rows(), profiledRows()), few);
        return !schema.hiddenRowId()
                && BlockPlanner.areApart(blocks, sources)
                && read(blocks, true)
                && readBorders();
    }

    private List<ProbeBlock> plan(int wantedRows, int regionCount) {
        double bytesWanted = wantedRows * Math.max(2, request.recordBytes());
        return BlockPlanner.plan(
                sources, (long) bytesWanted, request.recordBytes(), regionCount, request.seed());
    }

    /** Reads the blocks, or until their keys are out of order if they must not be; then false. */
    private boolean read(List<ProbeBlock> blocks, boolean mustBeInOrder) {
        long keptKeyBytes = KeySketch.maxExactBytes(Runtime.getRuntime().maxMemory());
        keptKeyBytesPerBlock = keptKeyBytes / Math.max(1, blocks.size());
        long sampleBytes = 0;
        for (ProbeBlock block : blocks) {
            sampleBytes += block.length();
        }
        double profiledShare =
                Math.min(1, profiledRows() * Math.max(2, request.recordBytes()) / sampleBytes);
        texts.begin((int) Math.ceil(blocks.size() * profiledShare));
        double due = 1;
        for (int i = 0; i < blocks.size(); i++) {
            boolean whole = due >= 1 || schema.hiddenRowId();
            if (reader.read(blocks.get(i))) {
                addBlock(blocks.get(i).source(), whole);
            }
            if (mustBeInOrder && !inOrder(i + 1)) {
                return false;
            }
            due += whole ? profiledShare - 1 : profiledShare;
        }
        return true;
    }

    /** Whether each of the blocks so far has keys, and the last one greater ones. */
    private boolean inOrder(int blockCount) {
        return blockKeys.size() == blockCount
                && (blockCount == 1 || blockKeys.getLast().isAbove(blockKeys.get(blockCount - 2)));
    }

    /** Finds the first keys of equal parts of the input; false if they do not ascend. */
    private boolean readBorders() {
        for (ProbeBlock block :
                BlockPlanner.borders(sources, request.recordBytes(), request.regionCount())) {
            if (!reader.read(block)) {
                return false;
            }
            convertBlock(block.source(), false);
            if (keyBatch.rowCount() == 0) {
                return false;
            }
            byte[] key = keyCodec.encode(keyBatch, 0);
            if (!borders.isEmpty() && Arrays.compareUnsigned(borders.getLast(), key) >= 0) {
                return false;
            }
            borders.add(key);
        }
        return true;
    }

    private Sample sample() {
        List<ColumnProfile> profiles = profiler.profiles();
        return new Sample(
                sketch,
                borders,
                blockKeys,
                profiles,
                CompletableFuture.supplyAsync(() -> texts.train(profiles)),
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

    /** Converts the records of the block just read, and returns where they start. */
    private int convertBlock(int source, boolean whole) {
        int start = reader.start();
        if (reader.exact() || !request.dialect().quoted()) {
            convert(start, source, whole);
            return start;
        }
        guessedBlocks++;
        return guessStart(source, whole);
    }

    private void addBlock(int source, boolean whole) {
        int start = convertBlock(source, whole);
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
            addKeys(converted, whole, end - start);
        }
    }

    /** Converts the records from the start that fits best on, and returns it. */
    private int guessStart(int source, boolean whole) {
        int best = reader.start();
        double bestMisfit = Double.MAX_VALUE;
        int candidate = best;
        for (int i = 0; i < START_GUESSES && candidate >= 0; i++) {
            double misfit = convert(candidate, source, whole);
            if (misfit == 0) {
                return candidate;
            }
            if (misfit < bestMisfit) {
                best = candidate;
                bestMisfit = misfit;
            }
            candidate = reader.nextStart(candidate);
        }
        convert(best, source, whole);
        return best;
    }

    /**
     * Converts the block's records if one starts at {@code start}. Returns the share of them that
     * do not fit the table; 1 without records.
     */
    private double convert(int start, int source, boolean whole) {
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

    private void addKeys(ColumnBatch keys, boolean whole, int textBytes) {
        int rowCount = keys.rowCount();
        if (rowCount == 0) {
            return;
        }
        KeyCodec codec = whole ? wholeCodec : keyCodec;
        keyBytes.clear();
        int[] ends = new int[rowCount];
        codec.encodeAll(keys, rowCount, keyBytes, ends);
        sketch.addAll(keyBytes.array(), ends, weights(keys, whole), rowCount);
        int kept = rowCount;
        while (kept > 0 && ends[kept - 1] > keptKeyBytesPerBlock) {
            kept--;
        }
        int bytes = kept == 0 ? 0 : ends[kept - 1];
        blockKeys.add(
                new KeyBlock(
                        Arrays.copyOf(keyBytes.array(), bytes),
                        Arrays.copyOf(ends, kept),
                        (double) rowCount / textBytes));
    }

    /** Finds the plain bytes of each row, and the mean if these are the first rows. */
    private void findRowBytes(ColumnBatch keys, boolean whole) {
        int rowCount = keys.rowCount();
        keyColumns.findRowBytes(keys, whole, rowBytes);
        if (meanRowBytes == 0) {
            long total = 0;
            for (int row = 0; row < rowCount; row++) {
                total += rowBytes[row];
            }
            meanRowBytes = Math.max(1, (double) total / rowCount);
        }
    }

    /** Weights of the rows, in place of their bytes. */
    private int[] weights(ColumnBatch keys, boolean whole) {
        int rowCount = keys.rowCount();
        if (rowBytes.length < rowCount) {
            rowBytes = new int[rowCount];
        }
        if (keyColumns.haveOneSize()) {
            Arrays.fill(rowBytes, 0, rowCount, MEAN_WEIGHT);
            return rowBytes;
        }
        findRowBytes(keys, whole);
        for (int row = 0; row < rowCount; row++) {
            rowBytes[row] = weight(rowBytes[row]);
        }
        return rowBytes;
    }

    private int weight(int bytes) {
        double exact = MEAN_WEIGHT * bytes / meanRowBytes + random.nextDouble();
        return (int) Math.min(MAX_WEIGHT, exact);
    }
}
