package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.step.CpuClock;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.Sort;
import dev.penstock.step.StepName;
import dev.penstock.target.FragmentHeader;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.UUID;

/**
 * Runs the steps that a fragment still needs up to, not including, the merge. The result is an
 * image with all columns encoded, in key order. Used by one thread at a time; keeps its memory for
 * the next fragment.
 */
final class FragmentSteps {
    /**
     * A fragment ready to be staged.
     *
     * @param image its bytes are the first {@code length}; valid until the next fragment
     */
    record Staged(SegmentReader reader, byte[] image, int length, ColumnSums sums) {}

    /** Rows that a chunk of the usual size may have take less, whatever they consist of. */
    private static final long LEAST_MEMORY_BYTES = 64 << 20;

    /** There is as much again where the rows are sorted, and other threads have fragments too. */
    private static final int HEAP_SHARE = 8;

    private final TableSchema schema;
    private final TokenTables tokens;
    private UUID loadId;
    private final boolean summing;
    private final TextParser parser;
    private final Sort sort;
    private final Encode encode;
    private final ColumnBatch batch;
    private final ByteBuilder out = new ByteBuilder(1 << 16);

    FragmentSteps(LoadDescriptor load) {
        this(load, memoryBytes());
    }

    /** Heap that the rows of one fragment may take. */
    static long memoryBytes() {
        return Math.max(LEAST_MEMORY_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /**
     * @param memoryBytes of heap that the rows of one fragment may take when they are taken apart,
     *     without the bytes of byte strings
     */
    FragmentSteps(LoadDescriptor load, long memoryBytes) {
        this.schema = load.table().schema();
        this.tokens = load.request().tokens();
        this.loadId = UUID.fromString(load.loadId());
        this.summing = load.request().verification().sums();
        this.parser = new TextParser(load, memoryBytes, summing);
        this.sort = new Sort(schema);
        this.encode = new Encode(schema, tokens);
        this.batch = ColumnBatch.forColumns(schema.columns(), 0);
    }

    /** What comes next is of that load, which the steps fit; it may be the one before. */
    void begin(LoadDescriptor load) {
        UUID next = UUID.fromString(load.loadId());
        if (!next.equals(loadId)) {
            loadId = next;
            parser.begin();
        }
    }

    /**
     * Runs the steps.
     *
     * @param plainColumns columns that will not have a dictionary in this region
     * @param rejects takes the records that are no rows
     */
    Staged run(
            FragmentHeader header,
            byte[] payload,
            int length,
            BitSet plainColumns,
            AnsweredRejects rejects,
            CpuClock clock) {
        if (header.form() == FragmentForm.RAW) {
            return deserialize(header, payload, length, plainColumns, rejects, clock);
        }
        String name = "fragment " + header.chunkId() + " for region " + header.regionId();
        MemorySegment bytes = MemorySegment.ofArray(payload).asSlice(0, length);
        SegmentReader reader = SegmentReader.open(schema, bytes, name, tokens);
        checkSums(header, name);
        if (reader.rowCount() != header.rowCount()) {
            throw PenstockException.corrupt(
                    name + " has " + reader.rowCount() + " rows, not " + header.rowCount());
        }
        if (!reader.sorted() && header.form() != FragmentForm.TYPED) {
            throw PenstockException.corrupt(name + " is not in key order");
        }
        clock.lap(StepName.TRANSFER);
        if (Encode.isComplete(reader, plainColumns)) {
            return new Staged(reader, payload, length, header.sums());
        }
        checkRoom(reader, name);
        if (!reader.sorted()) {
            return sort(reader, header, plainColumns, clock);
        }
        out.clear();
        encode.complete(reader, plainColumns, out);
        clock.lap(StepName.ENCODE);
        return staged(name, header.sums());
    }

    private void checkSums(FragmentHeader header, String name) {
        int columns = summing ? schema.columnCount() : 0;
        if (header.sums().columnCount() != columns
                || summing && header.sums().rowCount() != header.rowCount()) {
            throw PenstockException.corrupt(
                    name
                            + " comes with checksums of "
                            + header.sums().columnCount()
                            + " columns and "
                            + header.sums().rowCount()
                            + " rows where "
                            + columns
                            + " columns and "
                            + header.rowCount()
                            + " rows are due");
        }
    }

    private Staged deserialize(
            FragmentHeader header,
            byte[] payload,
            int length,
            BitSet plainColumns,
            AnsweredRejects rejects,
            CpuClock clock) {
        ColumnSums sums = parser.parse(header, payload, length, rejects, clock);
        return encode(parser.batch(), header, plainColumns, sums, clock);
    }

    private Staged sort(
            SegmentReader reader, FragmentHeader header, BitSet plainColumns, CpuClock clock) {
        batch.clear();
        for (int block = 0; block < reader.blockCount(); block++) {
            int row = (int) reader.blockStartRow(block);
            for (int column = 0; column < schema.columnCount(); column++) {
                reader.read(column, block, batch.column(column), row);
            }
        }
        batch.setRowCount((int) reader.rowCount());
        clock.lap(StepName.TRANSFER);
        return encode(batch, header, plainColumns, header.sums(), clock);
    }

    /** Rows that are all the same take next to nothing on the way, whatever their number. */
    private void checkRoom(SegmentReader reader, String name) {
        if (reader.rowCount() > parser.mostRows()) {
            throw PenstockException.usage(
                    name
                            + " has "
                            + reader.rowCount()
                            + " rows, and this server has memory for "
                            + parser.mostRows()
                            + " of a fragment; choose smaller chunks");
        }
    }

    private Staged encode(
            ColumnBatch rows,
            FragmentHeader header,
            BitSet plainColumns,
            ColumnSums sums,
            CpuClock clock) {
        ColumnBatch sorted = sort.run(rows);
        clock.lap(StepName.SORT);
        Encode.Choice[] choices = choices(schema, plainColumns);
        SegmentIdentity identity = SegmentIdentity.ofChunk(loadId, header.chunkId());
        out.clear();
        encode.run(sorted, 0, sorted.rowCount(), choices, true, identity, out);
        clock.lap(StepName.ENCODE);
        return staged("fragment " + header.chunkId() + ", encoded here", sums);
    }

    /** What to make of columns, some of which will not have a dictionary. */
    static Encode.Choice[] choices(TableSchema schema, BitSet plainColumns) {
        Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
        Arrays.setAll(
                choices,
                i -> plainColumns.get(i) ? Encode.Choice.PACKED : Encode.Choice.DICTIONARY);
        return choices;
    }

    private Staged staged(String name, ColumnSums sums) {
        MemorySegment bytes = MemorySegment.ofArray(out.array()).asSlice(0, out.length());
        return new Staged(
                SegmentReader.open(schema, bytes, name, tokens), out.array(), out.length(), sums);
    }
}
