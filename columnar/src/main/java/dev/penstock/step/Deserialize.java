package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.parse.FieldSlices;
import dev.penstock.parse.QuotePlaces;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.parse.RowIndex;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Text to rows. A {@link RowIndex} finds the fields of a window of records, then column after
 * column of at most {@link #MAX_ROWS} rows is converted, so that text and index stay in the cache
 * and each kernel runs over one type. Rows with a faulty value are taken out again and become
 * rejects, in the order of their positions.
 *
 * <p>One per thread; owns its scratch memory and keeps none of what it is given.
 */
public final class Deserialize {
    /** Bytes that must be readable after the end of the text given to {@link #run}. */
    public static final int PADDING = FieldSlices.READ_AHEAD;

    /** Records in a chunk whose rows can have hidden row ids. */
    public static final int MAX_RECORDS_PER_CHUNK = 1 << 23;

    private static final int CHUNK_SHIFT = 23;
    private static final int LOAD_SHIFT = 44;

    /**
     * First ordinal of a load that has no hidden row ids of its own. Ids of the second half are
     * negative.
     */
    public static final long LOAD_ORDINALS = 1L << Long.SIZE - LOAD_SHIFT;

    private static final int MAX_ROWS = 1024;
    private static final QuotePlaces NO_PLACES = new QuotePlaces();

    private final TableSchema schema;
    private final FieldMapping mapping;
    private final long loadOrdinal;
    private final RowIndex index;
    private final FieldSlices slices;
    private final List<ColumnFiller> fillers = new ArrayList<>();
    private final List<Integer> unmapped = new ArrayList<>();
    private final RowFaults faults = new RowFaults(MAX_ROWS);
    private final TextParts parts = new TextParts();
    private @Nullable SharedFields shared;
    private final List<Reject> pending = new ArrayList<>();

    private byte[] text = new byte[0];
    private byte[] rawText = new byte[0];
    private int sourceIndex;
    private long origin;
    private @Nullable RawFragment raw;

    public Deserialize(
            TableSchema schema, Dialect dialect, List<Integer> fieldColumns, long loadOrdinal) {
        this(schema, dialect, fieldColumns, loadOrdinal, RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
    }

    /**
     * @param fieldColumns the table column of each record field in order, or -1 to skip the field
     * @param loadOrdinal number of the load, part of hidden row ids
     * @param maxRecordBytes longer records are rejected; the same as for {@link RecordBoundary}
     */
    public Deserialize(
            TableSchema schema,
            Dialect dialect,
            List<Integer> fieldColumns,
            long loadOrdinal,
            int maxRecordBytes) {
        this.schema = schema;
        this.mapping = new FieldMapping(schema, fieldColumns);
        this.loadOrdinal = loadOrdinal;
        this.index = new RowIndex(dialect, mapping.fieldCount(), maxRecordBytes);
        this.slices = new FieldSlices(dialect, index, MAX_ROWS);
        for (int field = 0; field < mapping.fieldCount(); field++) {
            int column = mapping.column(field);
            if (column >= 0) {
                boolean last = field == mapping.fieldCount() - 1;
                fillers.add(
                        new ColumnFiller(
                                schema.column(column), column, field, last, dialect.nullText()));
            }
        }
        for (int column = 0; column < schema.visibleColumnCount(); column++) {
            if (mapping.field(column) < 0) {
                unmapped.add(column);
            }
        }
    }

    /**
     * From now on batches share columns whose fields repeat from record to record. For callers that
     * do not ask for all columns row by row.
     */
    public void shareColumns() {
        boolean[] eligible = new boolean[mapping.fieldCount()];
        for (int field = 0; field < eligible.length; field++) {
            int column = mapping.column(field);
            eligible[field] = column >= 0 && !isKey(column);
        }
        shared = new SharedFields(index, eligible, fillers, MAX_ROWS);
    }

    /** Other text comes next: which columns repeat in it is to be found out anew. */
    public void forgetShares() {
        if (shared != null) {
            shared.forget();
        }
    }

    private boolean isKey(int column) {
        return schema.key().stream().anyMatch(part -> part.columnIndex() == column);
    }

    /**
     * Parses the whole records in {@code text[from, to)}; appends good rows to {@code out} (all
     * table columns) and hands bad ones to {@code rejects} in order, with {@code bytePosition =
     * basePosition + offset - from} and line unknown. {@link #PADDING} bytes after {@code to} must
     * be readable; what they hold does not matter.
     */
    public void run(
            byte[] text,
            int from,
            int to,
            int sourceIndex,
            long basePosition,
            int chunkId,
            ColumnBatch out,
            Consumer<Reject> rejects) {
        run(text, from, to, NO_PLACES, sourceIndex, basePosition, chunkId, out, rejects);
    }

    /**
     * The same of text whose quotes may be known.
     *
     * @param quotes of {@code text}, as {@link RecordBoundary} found them
     */
    public void run(
            byte[] text,
            int from,
            int to,
            QuotePlaces quotes,
            int sourceIndex,
            long basePosition,
            int chunkId,
            ColumnBatch out,
            Consumer<Reject> rejects) {
        this.raw = null;
        index.start(text, from, to, quotes);
        convert(text, to, sourceIndex, basePosition - from, chunkId, out, rejects);
    }

    /**
     * The same of a text of several parts from 0 on, whose rows are told apart.
     *
     * @param partEnds where each of them ends, ascending, after whole records
     * @param rowEnds gets the rows of {@code out} at the end of each part
     */
    public void runParts(
            byte[] text,
            int[] partEnds,
            int partCount,
            int sourceIndex,
            ColumnBatch out,
            int[] rowEnds,
            Consumer<Reject> rejects) {
        parts.begin(partEnds, rowEnds, partCount);
        int to = partCount == 0 ? 0 : partEnds[partCount - 1];
        run(text, 0, to, NO_PLACES, sourceIndex, 0, 0, out, rejects);
        parts.end(out.rowCount());
    }

    /**
     * The same for text that follows, in the same chunk, what there was since the last {@link #run}
     * or {@link #begin}: records are counted on.
     */
    public void runOn(
            byte[] text,
            int from,
            int to,
            int sourceIndex,
            long basePosition,
            int chunkId,
            ColumnBatch out,
            Consumer<Reject> rejects) {
        index.resume(text, from, to);
        convert(text, to, sourceIndex, basePosition - from, chunkId, out, rejects);
    }

    /** A chunk begins, all of whose text {@link #runOn} and {@link #runSome} will get. */
    public void begin() {
        raw = null;
        index.begin();
    }

    /**
     * The same as {@link #runOn} of text that goes on after {@code to}, where a record may have
     * begun: that one is left. Only for dialects of which {@link Dialect#recordsAreLines} or {@link
     * Dialect#quotesAloneHideLines}.
     *
     * @return the end of the last record that ends in the text; {@code from} if none does
     */
    public int runSome(
            byte[] text,
            int from,
            int to,
            int sourceIndex,
            long basePosition,
            int chunkId,
            ColumnBatch out,
            Consumer<Reject> rejects) {
        index.resume(text, from, to);
        index.leaveRest();
        convert(text, to, sourceIndex, basePosition - from, chunkId, out, rejects);
        return index.position();
    }

    /** Converts the text that the index has begun with. */
    private void convert(
            byte[] text,
            int to,
            int sourceIndex,
            long origin,
            int chunkId,
            ColumnBatch out,
            Consumer<Reject> rejects) {
        if (to > text.length - PADDING) {
            throw new IllegalArgumentException(
                    "text of " + text.length + " bytes has no padding after " + to);
        }
        this.sourceIndex = sourceIndex;
        this.origin = origin;
        runAll(text, chunkId, out, rejects);
    }

    /**
     * The same for a payload that {@link RawRouter} made; refuses a damaged one as corrupt, and so
     * one of another chunk, whose rows might have the ids of others.
     */
    public void runRaw(
            byte[] payload, int length, int chunkId, ColumnBatch out, Consumer<Reject> rejects) {
        RawFragment fragment = RawFragment.read(payload, length);
        if (fragment.chunkId() != chunkId) {
            throw PenstockException.corrupt(
                    "a raw fragment of chunk " + fragment.chunkId() + " came as of " + chunkId);
        }
        if (rawText.length < fragment.textLength() + PADDING) {
            rawText = new byte[fragment.textLength() + (fragment.textLength() >> 2) + PADDING];
        }
        fragment.copyText(rawText);
        this.sourceIndex = fragment.sourceIndex();
        this.origin = 0;
        this.raw = fragment;
        index.start(rawText, 0, fragment.textLength());
        runAll(rawText, chunkId, out, rejects);
        if (index.recordCount() != fragment.recordCount()) {
            throw wrongRecordCount(fragment);
        }
    }

    /**
     * Records since the last {@link #run} or {@link #begin}, rejects included; comments and skipped
     * empty lines are none.
     */
    public long recordCount() {
        return index.recordCount();
    }

    private void runAll(byte[] source, int chunkId, ColumnBatch out, Consumer<Reject> rejects) {
        text = source;
        boolean growing = out.rowCount() == 0;
        long bytes = index.bytesLeft();
        while (index.next(this::rejectRecord)) {
            convertWindow(index.rowCount(), chunkId, out);
            if (growing) {
                // The rest is expected to be like the first window.
                out.expectRows(out.rowCount() * bytes / (bytes - index.bytesLeft()));
                growing = false;
            }
            if (!pending.isEmpty()) {
                pending.sort((a, b) -> Long.compare(a.bytePosition(), b.bytePosition()));
                List<Reject> ready = List.copyOf(pending);
                pending.clear();
                ready.forEach(rejects);
            }
        }
        text = new byte[0];
    }

    /** Converts the window's rows in parts of equal size. */
    private void convertWindow(int rows, int chunkId, ColumnBatch out) {
        int parts = (rows + MAX_ROWS - 1) / MAX_ROWS;
        for (int part = 0; part < parts; part++) {
            int first = (int) ((long) rows * part / parts);
            int end = (int) ((long) rows * (part + 1) / parts);
            convert(first, end - first, chunkId, out);
        }
    }

    private void convert(int firstRow, int count, int chunkId, ColumnBatch out) {
        int row = out.rowCount();
        faults.clear();
        slices.begin(text, firstRow, count);
        SharedFields sharing = shared;
        if (sharing != null && row == 0) {
            sharing.begin(text, firstRow, count, out);
        }
        for (ColumnFiller filler : fillers) {
            if (!out.isShared(filler.columnIndex())) {
                filler.fill(slices, count, out, row, faults);
            }
        }
        for (int column : unmapped) {
            ColumnData data = out.column(column);
            data.ensureRows(row + count);
            data.setAllNull(row, count);
        }
        if (schema.hiddenRowId()) {
            fillRowIds(out.longs(schema.columnCount() - 1), row, firstRow, count, chunkId);
        }
        if (sharing != null) {
            sharing.fill(slices, text, firstRow, count, out, faults);
        }
        parts.add(row, index, firstRow, count, faults);
        if (faults.count() > 0) {
            for (int i = 0; i < count; i++) {
                if (faults.has(i)) {
                    rejectRow(firstRow + i, Objects.requireNonNull(faults.get(i)));
                }
            }
            RowRemoval.removeFaulty(out, row, count, faults);
        }
        if (sharing != null) {
            sharing.append(out, count, faults.count());
        }
        out.setRowCount(row + count - faults.count());
    }

    private void fillRowIds(LongColumn column, int row, int firstRow, int count, int chunkId) {
        column.ensureRows(row + count);
        long[] values = column.values();
        for (int i = 0; i < count; i++) {
            int ordinal = chunkOrdinal(index.ordinal(firstRow + i));
            values[row + i] = rowId(loadOrdinal, chunkId, ordinal);
        }
    }

    /**
     * The hidden row id of a row.
     *
     * @param ordinal its number within the chunk
     */
    public static long rowId(long loadOrdinal, int chunkId, int ordinal) {
        if (ordinal >= MAX_RECORDS_PER_CHUNK) {
            throw PenstockException.usage(
                    "a chunk for a table without a key may hold at most "
                            + MAX_RECORDS_PER_CHUNK
                            + " records; choose smaller chunks");
        }
        return loadOrdinal << LOAD_SHIFT | (long) chunkId << CHUNK_SHIFT | ordinal;
    }

    private void rejectRow(int indexRow, RowFaults.Fault fault) {
        int start = index.rowStart(indexRow);
        pending.add(
                RejectDraft.of(
                        fault.reason(),
                        sourceIndex,
                        position(index.ordinal(indexRow), start),
                        fault.columnName(),
                        fault.value(),
                        fault.expected(),
                        text,
                        start,
                        index.rowEnd(indexRow)));
    }

    /** A record that is no row, as {@link RowIndex} found it. */
    private void rejectRecord(
            RejectReason reason,
            int ordinal,
            int start,
            int end,
            int fieldIndex,
            int valueStart,
            String expected) {
        boolean known = fieldIndex >= 0 && fieldIndex < mapping.fieldCount();
        int column = known ? mapping.column(fieldIndex) : -1;
        String name = column < 0 ? "" : schema.column(column).name();
        String value = RejectDraft.shown(text, Math.min(valueStart, end), end);
        pending.add(
                RejectDraft.of(
                        reason,
                        sourceIndex,
                        position(ordinal, start),
                        name,
                        value,
                        expected,
                        text,
                        start,
                        end));
    }

    private long position(int ordinal, int start) {
        return raw == null ? origin + start : checked(raw, ordinal).position(ordinal);
    }

    private int chunkOrdinal(int ordinal) {
        return raw == null ? ordinal : checked(raw, ordinal).ordinal(ordinal);
    }

    private static RawFragment checked(RawFragment fragment, int ordinal) {
        if (ordinal >= fragment.recordCount()) {
            throw wrongRecordCount(fragment);
        }
        return fragment;
    }

    private static PenstockException wrongRecordCount(RawFragment fragment) {
        return PenstockException.corrupt(
                "a raw fragment of chunk "
                        + fragment.chunkId()
                        + " does not hold the "
                        + fragment.recordCount()
                        + " records that it lists");
    }
}
