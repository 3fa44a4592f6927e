package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.key.KeyCodec;
import dev.penstock.parse.FieldSlices;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.parse.RowIndex;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.Column;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Policy raw: converts only the key of each record, and copies the record's text to its region's
 * fragment ({@link RawFragment}), which the region server hands to {@link Deserialize#runRaw}.
 *
 * <p>Records that are no rows, and those whose key is none, are rejected here, in the words that
 * {@link Deserialize} would use; faults of other columns come to light at the server. One per
 * thread.
 */
public final class RawRouter {
    /** Takes finished fragments. */
    public interface Output {
        /** The payload is valid during the call only. */
        void fragment(int regionIndex, byte[] payload, int length, int recordCount);
    }

    private static final int MAX_ROWS = 1024;

    private final TableSchema schema;
    private final long loadOrdinal;
    private final RowIndex index;
    private final FieldSlices slices;
    private final Deserialize whole;
    private final List<ColumnFiller> keyFillers = new ArrayList<>();
    private final KeyCodec codec;
    private final ColumnBatch keys;
    private final ColumnBatch discarded;
    private final RowFaults faults = new RowFaults(MAX_ROWS);
    private final byte[][] regionStarts;
    private final RawBuilders regions;
    private final ByteBuilder key = new ByteBuilder(64);
    private final ByteBuilder payload = new ByteBuilder(1 << 16);
    private final List<Reject> pending = new ArrayList<>();

    /** {@code regionStarts}: encoded start key of each region in order; the first is empty. */
    public RawRouter(
            TableSchema schema,
            Dialect dialect,
            List<Integer> fieldColumns,
            long loadOrdinal,
            List<byte[]> regionStarts) {
        this(
                schema,
                dialect,
                fieldColumns,
                loadOrdinal,
                regionStarts,
                RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
    }

    public RawRouter(
            TableSchema schema,
            Dialect dialect,
            List<Integer> fieldColumns,
            long loadOrdinal,
            List<byte[]> regionStarts,
            int maxRecordBytes) {
        this.schema = schema;
        this.loadOrdinal = loadOrdinal;
        this.codec = new KeyCodec(schema);
        this.index = new RowIndex(dialect, fieldColumns.size(), maxRecordBytes);
        this.slices = new FieldSlices(dialect, index, MAX_ROWS);
        this.whole = new Deserialize(schema, dialect, fieldColumns, loadOrdinal, maxRecordBytes);
        this.keys = keyBatch(schema, codec);
        this.discarded = ColumnBatch.forColumns(schema.columns(), 1);
        this.regionStarts = regionStarts.toArray(new byte[0][]);
        this.regions = new RawBuilders(regionStarts.size());
        for (int column : codec.columns()) {
            int field = fieldColumns.indexOf(column);
            if (field >= 0) {
                boolean last = field == fieldColumns.size() - 1;
                keyFillers.add(
                        new ColumnFiller(
                                schema.column(column), column, field, last, dialect.nullText()));
            }
        }
    }

    private static ColumnBatch keyBatch(TableSchema schema, KeyCodec codec) {
        List<ColumnData> columns = new ArrayList<>();
        for (int i = 0; i < schema.columnCount(); i++) {
            int column = i;
            boolean used = Arrays.stream(codec.columns()).anyMatch(part -> part == column);
            int rows = used ? MAX_ROWS : 0;
            Column declared = schema.column(i);
            columns.add(
                    declared.type().kind() == PhysicalKind.LONG
                            ? new LongColumn(rows)
                            : new BytesColumn(rows, 16 * rows));
        }
        return new ColumnBatch(columns);
    }

    /** Arguments as for {@link Deserialize#run}; each region with records gets one fragment. */
    public void run(
            byte[] text,
            int from,
            int to,
            int sourceIndex,
            long basePosition,
            int chunkId,
            Output output,
            Consumer<Reject> rejects) {
        long origin = basePosition - from;
        pending.clear();
        regions.begin();
        index.start(text, from, to);
        RowIndex.FaultListener listener =
                (reason, ordinal, start, end, field, value, expected) ->
                        rejectAgain(text, start, end, sourceIndex, origin, chunkId);
        while (index.next(listener)) {
            for (int row = 0; row < index.rowCount(); row += MAX_ROWS) {
                int count = Math.min(MAX_ROWS, index.rowCount() - row);
                route(text, row, count, sourceIndex, origin, chunkId);
            }
            pending.sort((a, b) -> Long.compare(a.bytePosition(), b.bytePosition()));
            List<Reject> ready = List.copyOf(pending);
            pending.clear();
            ready.forEach(rejects);
        }
        for (int region = 0; region < regionStarts.length; region++) {
            RawFragment.Builder builder = regions.used(region);
            if (builder != null) {
                payload.clear();
                builder.write(sourceIndex, chunkId, payload);
                output.fragment(region, payload.array(), payload.length(), builder.count());
            }
        }
        regions.end();
    }

    /** What is kept for the next run, in buffers of regions. */
    long keptBytes() {
        return regions.roomBytes();
    }

    /** Records of the last run, rejects included. */
    public long recordCount() {
        return index.recordCount();
    }

    private void route(
            byte[] text, int firstRow, int count, int sourceIndex, long origin, int chunkId) {
        faults.clear();
        slices.begin(text, firstRow, count);
        for (ColumnFiller filler : keyFillers) {
            filler.fill(slices, count, keys, 0, faults);
        }
        for (int i = 0; i < count; i++) {
            int start = index.rowStart(firstRow + i);
            int end = index.lineEnd(firstRow + i);
            int ordinal = index.ordinal(firstRow + i);
            if (faults.has(i)) {
                rejectAgain(text, start, end, sourceIndex, origin, chunkId);
                continue;
            }
            if (schema.hiddenRowId()) {
                keys.longs(schema.columnCount() - 1).values()[i] =
                        Deserialize.rowId(loadOrdinal, chunkId, ordinal);
            }
            key.clear();
            codec.encode(keys, i, key);
            regions.of(region()).add(ordinal, origin + start, text, start, end);
        }
    }

    /** Runs all of Deserialize on one record that it will refuse, for the full reason. */
    private void rejectAgain(
            byte[] text, int start, int end, int sourceIndex, long origin, int chunkId) {
        discarded.clear();
        int before = pending.size();
        whole.run(text, start, end, sourceIndex, origin + start, chunkId, discarded, pending::add);
        if (pending.size() == before) {
            pending.add(
                    RejectDraft.of(
                            RejectReason.BAD_VALUE,
                            sourceIndex,
                            origin + start,
                            "",
                            "",
                            "a record with a key",
                            text,
                            start,
                            end));
        }
    }

    /** The region of the key: the last one that does not start after it. */
    private int region() {
        int low = 0;
        int high = regionStarts.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            byte[] start = regionStarts[middle];
            int order =
                    Arrays.compareUnsigned(start, 0, start.length, key.array(), 0, key.length());
            if (order <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
