package dev.penstock.sampler;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kernel.KernelSelection;
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
import java.util.concurrent.CompletableFuture;

/**
 * Takes a sample: reads blocks spread over all sources, converts their records with the same {@link
 * Deserialize} that the load will use, and sketches the keys of the good rows.
 *
 * <p>Only some rows are converted whole, in blocks spread over the sample: as many as have about
 * {@link #PROFILED_VALUES} values. They show bad records, the words that are frequent in byte
 * strings and, if the request asks for it, what there is to say of each column. Of the others the
 * key is, and byte strings that may be long, for their lengths; and nothing if there is no key.
 *
 * <p>Blocks are small and many, and hardly any code is compiled while a sample is taken: so some of
 * them are converted at once, as {@link BlockGroup}s.
 *
 * <p>An input whose places come in the order of their keys, as if sorted by key, can be divided
 * evenly by its length: so the request may allow that only the rows that are profiled are looked
 * at, and the first keys at the borders of equal parts. The first place out of order ends that, and
 * the sample is taken anew.
 *
 * <p>Keys are weighted by the plain bytes of their row, so that regions get equal bytes. Weights
 * are rounded at random to whole numbers, which keeps the expectation right; for rows like the
 * first ones these are small, around {@link #MEAN_WEIGHT}.
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

    /**
     * Bounds a sum of weights; a row that is short of it may be 500,000 times as long as others.
     */
    private static final int MAX_WEIGHT = 1 << 20;

    private static final int START_GUESSES = 8;

    /** Text of blocks that are converted at once, about. */
    private static final int GROUP_BYTES = 512 << 10;

    private final SampleRequest request;
    private final TableSchema schema;
    private final List<? extends SampleSource> sources;
    private final BlockReader reader;
    private final SampleColumns keyColumns;

    /** Blocks whose rows are converted whole, and the others. */
    private final BlockGroup wholeRows;

    private final BlockGroup keyRows;

    /** The blocks that wait for their conversion, in order. */
    private final List<Waiting> waiting = new ArrayList<>();

    private final ColumnProfiler profiler;
    private final TextSample texts;
    private final KeySketch sketch = new KeySketch();
    private final SplittableRandom random;
    private final List<KeyBlock> blockKeys = new ArrayList<>();
    private final List<byte[]> borders = new ArrayList<>();
    private final List<Reject> firstRejects = new ArrayList<>();
    private int waitingSource;
    private long keptKeyBytesPerBlock;
    private int checkedBlocks;
    private double meanRowBytes;
    private long rows;
    private long records;
    private long checkedRecords;
    private long recordBytes;
    private long rejects;
    private int guessedBlocks;

    /** Which of the two groups a block is in, and its number there. */
    private record Waiting(BlockGroup group, int block) {}

    private Sampler(List<? extends SampleSource> sources, SampleRequest request) {
        this.request = request;
        this.sources = sources;
        schema = request.schema();
        reader =
                new BlockReader(
                        sources,
                        new RecordBoundary(
                                request.dialect(), RecordBoundary.DEFAULT_MAX_RECORD_BYTES));
        keyColumns = SampleColumns.of(schema, request.fieldColumns());
        wholeRows = new BlockGroup(schema, request.dialect(), request.fieldColumns());
        keyRows = new BlockGroup(keyColumns.schema(), request.dialect(), keyColumns.fieldColumns());
        profiler = new ColumnProfiler(request.describes() ? schema.columns() : List.of());
        texts = new TextSample(schema);
        random = new SplittableRandom(request.seed());
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
            take(blocks.get(i), whole ? wholeRows : keyRows);
            // An input in no order is to show that soon: then the first groups are of few blocks.
            boolean enough = mustBeInOrder && waiting.size() > i / 2;
            int waitingBytes = wholeRows.textBytes() + keyRows.textBytes();
            if (waitingBytes >= GROUP_BYTES || enough || i == blocks.size() - 1) {
                addWaiting();
            }
            if (mustBeInOrder && waiting.isEmpty() && !inOrder(i + 1)) {
                return false;
            }
            due += whole ? profiledShare - 1 : profiledShare;
        }
        return true;
    }

    /** Whether each of the blocks so far has keys, and each greater ones than the one before. */
    private boolean inOrder(int blockCount) {
        if (blockKeys.size() != blockCount) {
            return false;
        }
        while (checkedBlocks < blockCount) {
            int next = checkedBlocks++;
            if (next > 0 && !blockKeys.get(next).isAbove(blockKeys.get(next - 1))) {
                return false;
            }
        }
        return true;
    }

    /** Finds the first keys of equal parts of the input; false if they do not ascend. */
    private boolean readBorders() {
        for (ProbeBlock block :
                BlockPlanner.borders(sources, request.recordBytes(), request.regionCount())) {
            if (!reader.read(block)) {
                return false;
            }
            convertBlock(block.source(), keyRows);
            if (keyRows.batch().rowCount() == 0) {
                return false;
            }
            byte[] key = keyRows.firstKey();
            if (!borders.isEmpty() && Arrays.compareUnsigned(borders.getLast(), key) >= 0) {
                return false;
            }
            borders.add(key);
        }
        return true;
    }

    private Sample sample() {
        return new Sample(
                sketch,
                borders,
                blockKeys,
                profiler.profiles(),
                CompletableFuture.supplyAsync(texts::train),
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

    /** Reads a block and puts its records into a group, or if need be adds its rows at once. */
    private void take(ProbeBlock block, BlockGroup group) {
        if (!reader.read(block)) {
            return;
        }
        int source = block.source();
        if (!hasExactStart()) {
            addWaiting();
            guessStart(source, group);
            waiting.add(new Waiting(group, 0));
            addRows();
            return;
        }
        int start = reader.start();
        int end = reader.endFrom(start);
        if (end <= start) {
            return;
        }
        if (source != waitingSource) {
            addWaiting();
            waitingSource = source;
        }
        waiting.add(new Waiting(group, group.add(reader.text(), start, end)));
    }

    private boolean hasExactStart() {
        return reader.exact() || !request.dialect().quoted();
    }

    /** Converts the records of the block just read. */
    private void convertBlock(int source, BlockGroup group) {
        if (hasExactStart()) {
            convert(reader.start(), source, group);
        } else {
            guessStart(source, group);
        }
    }

    /** Converts the records from the start that fits best on. */
    private void guessStart(int source, BlockGroup group) {
        guessedBlocks++;
        int best = reader.start();
        double bestMisfit = Double.MAX_VALUE;
        int candidate = best;
        for (int i = 0; i < START_GUESSES && candidate >= 0; i++) {
            double misfit = convert(candidate, source, group);
            if (misfit == 0) {
                return;
            }
            if (misfit < bestMisfit) {
                best = candidate;
                bestMisfit = misfit;
            }
            candidate = reader.nextStart(candidate);
        }
        convert(best, source, group);
    }

    /**
     * Converts the block's records if one starts at {@code start}. Returns the share of them that
     * do not fit the table; 1 without records.
     */
    private double convert(int start, int source, BlockGroup group) {
        int end = Math.max(start, reader.endFrom(start));
        group.convertAlone(reader.text(), start, end, source);
        return group.misfit();
    }

    /** Converts the groups and adds their rows. */
    private void addWaiting() {
        if (!waiting.isEmpty()) {
            wholeRows.convert(waitingSource);
            keyRows.convert(waitingSource);
            addRows();
        }
    }

    /** Adds the rows of the groups, which are converted, and clears them. */
    private void addRows() {
        profile(wholeRows);
        if (!schema.hiddenRowId()) {
            encodeKeys(wholeRows, true);
            encodeKeys(keyRows, false);
        }
        for (Waiting each : waiting) {
            addBlock(each.group(), each.block());
        }
        records += wholeRows.recordCount() + keyRows.recordCount();
        rows += wholeRows.batch().rowCount() + keyRows.batch().rowCount();
        waiting.clear();
        wholeRows.clear();
        keyRows.clear();
    }

    /** Looks at the rows of a group in all columns. */
    private void profile(BlockGroup group) {
        checkedRecords += group.recordCount();
        rejects += group.recordCount() - group.batch().rowCount();
        List<Reject> first = group.firstRejects();
        int room = BlockGroup.KEPT_REJECTS - firstRejects.size();
        firstRejects.addAll(first.subList(0, Math.min(first.size(), room)));
        profiler.add(group.batch());
        texts.count(group.batch());
        for (int block = 0; block < group.blockCount(); block++) {
            texts.add(group.batch(), group.rowsBefore(block), group.rowsBefore(block + 1));
        }
    }

    private void encodeKeys(BlockGroup group, boolean whole) {
        group.encodeKeys(keptKeyBytesPerBlock);
        findWeights(group.batch(), whole, group.weights());
    }

    private void addBlock(BlockGroup group, int block) {
        recordBytes += group.textBytes(block);
        int from = group.rowsBefore(block);
        int to = group.rowsBefore(block + 1);
        if (from == to || schema.hiddenRowId()) {
            return;
        }
        boolean inOrder =
                sketch.addAll(group.keyBytes(), group.keyEnds(), group.weights(), from, to);
        blockKeys.add(group.keys(block, inOrder));
    }

    /**
     * Finds the weights of the rows.
     *
     * @param weights has room for them
     */
    private void findWeights(ColumnBatch batch, boolean whole, int[] weights) {
        int rowCount = batch.rowCount();
        if (keyColumns.haveOneSize()) {
            Arrays.fill(weights, 0, rowCount, MEAN_WEIGHT);
            return;
        }
        keyColumns.findRowBytes(batch, whole, weights);
        if (meanRowBytes == 0 && rowCount > 0) {
            long total = 0;
            for (int row = 0; row < rowCount; row++) {
                total += weights[row];
            }
            meanRowBytes = Math.max(1, (double) total / rowCount);
        }
        for (int row = 0; row < rowCount; row++) {
            weights[row] = weight(weights[row]);
        }
    }

    private int weight(int bytes) {
        double exact = MEAN_WEIGHT * bytes / meanRowBytes + random.nextDouble();
        return (int) Math.min(MAX_WEIGHT, exact);
    }
}
