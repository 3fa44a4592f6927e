package dev.penstock.step;

import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.ColumnEncoding;
import dev.penstock.segment.ColumnStatistics;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.segment.SegmentWriter;
import dev.penstock.target.ColumnOutcome;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The output side of a merge: takes units of ordered rows, decides where blocks and segments end,
 * and writes full blocks. Rows that do not fill a block wait for the next unit.
 */
final class MergeWriter {
    /** Blocks of runs of so many rows are taken as they are where rows follow each other. */
    private static final int LEAST_TAKEN_ROWS = SegmentFormat.BLOCK_ROWS / 2;

    private final TableSchema schema;
    private final MergeLimits limits;
    private final MergeColumn[] columns;
    private final ColumnJobs jobs;
    private final SegmentWriter writer;
    private ColumnSums segmentSums = ColumnSums.NONE;
    private ColumnSums sums = ColumnSums.NONE;
    private final List<byte[]> waitingKeys = new ArrayList<>();
    private final ByteBuilder key = new ByteBuilder(64);
    private final MergePieces pieces = new MergePieces();
    private final MergePieces unitPieces = new MergePieces();
    private int[] blockRows = new int[16];

    // One merge
    private @Nullable Target target;
    private byte[] lastKey = new byte[0];

    /** Rows that wait for more to fill a block: {@link #leftRows} in the columns, then pieces. */
    private int waitingRows;

    private int leftRows;
    private int blockCount;

    /** Whether a block of as many rows as there may be could have too many bytes. */
    private boolean mayExceedBlockBytes;

    private long segmentRows;
    private boolean open;
    private int ordinal;
    private long rowCount;
    private long byteCount;
    private final ColumnEncoding[] encodings;
    private final long[] columnBytes;

    /** What one merge writes, and where. */
    private record Target(
            MergeDictionaries dictionaries,
            @Nullable TokenTable[] tokens,
            SegmentIdentity identity,
            Merge.Output output,
            CpuClock watch) {}

    /**
     * @param jobs encode the columns
     */
    MergeWriter(TableSchema schema, MergeLimits limits, ColumnJobs jobs) {
        this.schema = schema;
        this.limits = limits;
        this.jobs = jobs;
        MergeScratch own = jobs.own();
        writer = new SegmentWriter(schema, own.encoder());
        columns = new MergeColumn[schema.columnCount()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = new MergeColumn(i, schema.column(i), own, limits);
        }
        encodings = new ColumnEncoding[columns.length];
        columnBytes = new long[columns.length];
    }

    /**
     * Starts a merge.
     *
     * @param tokens of the columns whose byte strings are written as codes of a table
     */
    void begin(
            MergeDictionaries dictionaries,
            @Nullable TokenTable[] tokens,
            SegmentIdentity identity,
            Merge.Output output,
            CpuClock watch) {
        target = new Target(dictionaries, tokens, identity, output, watch);
        for (int i = 0; i < columns.length; i++) {
            columns[i].begin(dictionaries, tokens[i]);
        }
        mayExceedBlockBytes =
                dictionaries.longestRowBytes() * SegmentFormat.BLOCK_ROWS
                        > SegmentFormat.BLOCK_BYTES;
        sums = limits.sums() ? new ColumnSums(columns.length) : ColumnSums.NONE;
        segmentSums = sums.copy();
        lastKey = new byte[0];
        ordinal = 0;
        rowCount = 0;
        byteCount = 0;
        Arrays.fill(encodings, ColumnEncoding.PLAIN);
        Arrays.fill(columnBytes, 0);
    }

    /** Lets go of what the merge was of, once its results have been taken. */
    void end() {
        target = null;
        for (MergeColumn column : columns) {
            column.begin(null, null);
        }
    }

    private Target target() {
        Target present = target;
        if (present == null) {
            throw new IllegalStateException("no merge has begun");
        }
        return present;
    }

    /** Adds the rows of a unit. */
    void add(MergeUnits unit, MergeKeys keys) {
        int staged = waitingRows + keys.rowCount();
        CpuClock watch = target().watch();
        watch.lap(StepName.MERGE);
        if (keys.order() == null && !mayExceedBlockBytes) {
            encodePieces(unit, keys, staged);
        } else {
            encodeStaged(unit, keys, staged);
        }
        // The jobs have their own clocks.
        watch.restart();
        write(keys, staged);
        watch.lap(StepName.WRITE);
        rowCount += keys.rowCount();
    }

    /** Whether rows of the run have not been decoded yet. */
    boolean waitsFor(SegmentReader run) {
        return pieces.hasRowsOf(run);
    }

    /** Encodes full blocks straight from the runs; other rows wait as pieces. */
    private void encodePieces(MergeUnits unit, MergeKeys keys, int staged) {
        pieces.add(unit);
        int encoded = plan(keys, staged, true);
        if (encoded == 0) {
            return;
        }
        jobs.run((index, scratch, clock) -> {
            MergeColumn column = columns[index];
            column.use(scratch);
            PieceWalk walk = scratch.waiting().over(pieces);
            for (int i = 0; i < blockCount; i++) {
                column.encode(walk, blockRows[i], clock);
            }
            clock.lap(StepName.MERGE);
        });
        pieces.drop(encoded - leftRows);
        leftRows = 0;
    }

    /** Decodes and orders the rows, encodes full blocks of them and leaves the others. */
    private void encodeStaged(MergeUnits unit, MergeKeys keys, int staged) {
        unitPieces.clear();
        unitPieces.add(unit);
        int encoded = plan(keys, staged, false);
        jobs.run((index, scratch, clock) -> {
            MergeColumn column = columns[index];
            stage(column, scratch, keys);
            int row = 0;
            for (int i = 0; i < blockCount; i++) {
                column.encode(row, blockRows[i], clock);
                row += blockRows[i];
                if (i == 0) {
                    column.expect(row, encoded);
                }
            }
            column.keep(encoded);
            clock.lap(StepName.MERGE);
        });
        pieces.clear();
        unitPieces.clear();
        leftRows = staged - encoded;
    }

    private void stage(MergeColumn column, MergeScratch scratch, MergeKeys keys) {
        column.use(scratch);
        PieceWalk waiting = scratch.waiting().over(pieces);
        PieceWalk unit = scratch.unit().over(unitPieces);
        column.stage(waiting, waitingRows, unit, keys.order(), keys.rowCount());
    }

    /** Writes what waits, and the end of the last segment, and lets go of the runs. */
    void finish() {
        CpuClock watch = target().watch();
        if (waitingRows > 0) {
            watch.lap(StepName.MERGE);
            jobs.run((index, scratch, clock) -> {
                columns[index].use(scratch);
                columns[index].encode(scratch.waiting().over(pieces), waitingRows, clock);
                clock.lap(StepName.MERGE);
            });
            watch.restart();
            openSegment();
            writeBlock(waitingRows);
            for (byte[] waiting : waitingKeys) {
                writer.addKey(waiting, 0, waiting.length);
            }
            for (MergeColumn column : columns) {
                column.clearWritten();
            }
            waitingKeys.clear();
            waitingRows = 0;
            leftRows = 0;
        }
        if (open) {
            writer.addKey(lastKey, 0, lastKey.length);
            closeSegment();
        }
        watch.lap(StepName.WRITE);
        pieces.clear();
    }

    /**
     * Finds the blocks that are complete; returns how many of the staged rows they hold.
     *
     * @param inPieces whether the rows are those left over and then {@link #pieces}
     */
    private int plan(MergeKeys keys, int staged, boolean inPieces) {
        int[] rowBytes = mayExceedBlockBytes ? rowBytes(keys, staged) : new int[0];
        blockCount = 0;
        int row = 0;
        long inSegment = segmentRows;
        while (true) {
            int room = (int) Math.min(SegmentFormat.BLOCK_ROWS, limits.segmentRows() - inSegment);
            int rows = Math.min(room, staged - row);
            int fitting = rowBytes.length == 0 ? rows : fitting(rowBytes, row, rows);
            int taken = inPieces ? pieces.blockRows(row - leftRows, LEAST_TAKEN_ROWS, room) : 0;
            // Keys of the rows that wait are kept for one block.
            if (taken > 0 && row + taken >= waitingRows) {
                fitting = taken;
            } else if (fitting == rows && rows < room || rows == 0) {
                return row;
            }
            if (blockCount == blockRows.length) {
                blockRows = Arrays.copyOf(blockRows, 2 * blockCount);
            }
            blockRows[blockCount++] = fitting;
            row += fitting;
            inSegment += fitting;
            inSegment = inSegment == limits.segmentRows() ? 0 : inSegment;
        }
    }

    /** Of the next rows those that together have at most a block's bytes; at least 1. */
    private static int fitting(int[] rowBytes, int from, int rows) {
        long bytes = 0;
        for (int i = 0; i < rows; i++) {
            bytes += rowBytes[from + i];
            if (bytes > SegmentFormat.BLOCK_BYTES) {
                return Math.max(1, i);
            }
        }
        return rows;
    }

    private int[] rowBytes(MergeKeys keys, int staged) {
        int[] lengths = new int[staged];
        for (MergeColumn column : columns) {
            if (column.isBytes()) {
                stage(column, jobs.own(), keys);
                column.addLengths(lengths);
            }
        }
        return lengths;
    }

    private void write(MergeKeys keys, int staged) {
        int row = 0;
        for (int i = 0; i < blockCount; i++) {
            openSegment();
            writeBlock(blockRows[i]);
            for (int at = 0; at < blockRows[i]; at += SegmentFormat.KEY_INDEX_ROWS) {
                byte[] indexKey = keyOf(keys, row, at);
                writer.addKey(indexKey, 0, indexKey.length);
            }
            row += blockRows[i];
            if (segmentRows == limits.segmentRows()) {
                byte[] last = keyOf(keys, row - 1, 0);
                writer.addKey(last, 0, last.length);
                closeSegment();
            }
        }
        keepKeys(keys, row, staged);
        for (MergeColumn column : columns) {
            column.clearWritten();
        }
    }

    /** Key of staged row {@code block + at}, a row of the index or a new row. */
    private byte[] keyOf(MergeKeys keys, int block, int at) {
        int row = block + at;
        if (row < waitingRows) {
            return waitingKeys.get(at / SegmentFormat.KEY_INDEX_ROWS);
        }
        key.clear();
        keys.encode(row - waitingRows, key);
        return key.toByteArray();
    }

    /** Index keys of the rows that wait, and the last key so far. */
    private void keepKeys(MergeKeys keys, int encoded, int staged) {
        List<byte[]> kept = new ArrayList<>();
        for (int at = 0; encoded + at < staged; at += SegmentFormat.KEY_INDEX_ROWS) {
            kept.add(keyOf(keys, encoded, at));
        }
        if (keys.rowCount() > 0) {
            checkFirstKey(keys);
            key.clear();
            keys.encode(keys.rowCount() - 1, key);
            lastKey = key.toByteArray();
        }
        waitingKeys.clear();
        waitingKeys.addAll(kept);
        waitingRows = staged - encoded;
    }

    /** Units follow each other unless a run that claims to be in key order is not. */
    private void checkFirstKey(MergeKeys keys) {
        key.clear();
        keys.encode(0, key);
        int order = ByteAccess.compare(lastKey, 0, lastKey.length, key.array(), 0, key.length());
        if (order >= 0 && lastKey.length > 0) {
            throw PenstockException.corrupt(
                    "a run of table " + schema.name() + " is not in key order as it claims");
        }
    }

    private void openSegment() {
        if (open) {
            return;
        }
        Target to = target();
        int number = to.identity.chunkOrOrdinal() + ordinal;
        writer.begin(to.output.open(ordinal), to.identity.withOrdinal(number), true);
        for (int column = 0; column < columns.length; column++) {
            Dictionary dictionary = to.dictionaries.dictionary(column);
            writer.complete(column);
            TokenTable table = to.tokens[column];
            if (table != null) {
                writer.tokens(column, table, limits.compress());
            }
            if (dictionary == null) {
                writer.overflowed(column);
            } else {
                writer.dictionary(column, dictionary);
            }
        }
        open = true;
    }

    private void writeBlock(int rows) {
        writer.beginBlock(rows);
        for (int i = 0; i < columns.length; i++) {
            MergeColumn column = columns[i];
            writer.add(i, column.nextBlock(), column.encodedBytes(), column.nextBlockAt());
            if (limits.sums()) {
                segmentSums.addToColumn(i, column.nextBlockSum());
            }
            column.blockWritten();
        }
        segmentRows += rows;
    }

    private void closeSegment() {
        SegmentSummary summary = writer.finish();
        if (limits.sums()) {
            segmentSums.addRows(segmentRows);
            summary = summary.withSums(segmentSums);
            sums.add(segmentSums);
            segmentSums = new ColumnSums(columns.length);
        }
        target().output().close(ordinal, summary);
        ordinal++;
        open = false;
        segmentRows = 0;
        byteCount += summary.bytes();
        for (int i = 0; i < columns.length; i++) {
            ColumnStatistics statistics = summary.statistics().get(i);
            columnBytes[i] += statistics.bytes();
            if (statistics.encoding() != ColumnEncoding.PLAIN) {
                encodings[i] = statistics.encoding();
            }
        }
    }

    /** Sums of all rows written; none if they are not asked for. */
    ColumnSums sums() {
        return limits.sums() ? sums.copy() : ColumnSums.NONE;
    }

    long rowCount() {
        return rowCount;
    }

    long byteCount() {
        return byteCount;
    }

    /** How each column was stored. */
    List<ColumnOutcome> outcomes() {
        List<ColumnOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < columns.length; i++) {
            Dictionary dictionary = target().dictionaries().dictionary(i);
            outcomes.add(
                    new ColumnOutcome(
                            schema.column(i).name(),
                            encodings[i].label(),
                            dictionary == null ? -1 : dictionary.size(),
                            columnBytes[i]));
        }
        return outcomes;
    }
}
