package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.kernel.BitPacking;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentWriter;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The step that turns rows into a segment image: a fragment. Column by column, it builds the local
 * dictionary if that is wished for, and writes the blocks straight into the output buffer.
 *
 * <p>A wished-for dictionary is given up if the slice has too many distinct values (the image then
 * says so, which tells the region that this column will not have one), and quietly if more than
 * half of the values are distinct, when it saves nothing. The dictionary of a column's slice before
 * is where the search for the next one begins; this changes how fast it is found, never what it is.
 *
 * <p>Owned by one thread; holds scratch of the size of the largest batch, and the last
 * dictionaries.
 */
public final class Encode {
    /** The wish for one column. */
    public enum Choice {
        /** Values in their natural width. */
        PLAIN,
        /** Bit-packed where smaller; byte strings as tokens where smaller. */
        PACKED,
        /** Codes into a dictionary, else as PACKED. */
        DICTIONARY
    }

    /** Hears of what is read from the batch, and takes the images of its slices. */
    public interface Slices {
        /**
         * Rows [from, to) of a column, as they lie in the batch, are read for the first time after
         * this. Who reads them too has them in the cache then. Called for all rows of each column,
         * in order, before the first image is complete.
         */
        void next(int column, int from, int to);

        /** The image is complete; its bytes may be overwritten after the call. */
        void encoded(int slice);
    }

    /** Bytes that an image has besides its blocks, without those that grow with them. */
    private static final int FOOTER_ROOM = 1 << 12;

    private final TableSchema schema;
    private final KeyCodec codec;
    private final BlockEncoder encoder = new BlockEncoder();
    private final SegmentWriter writer;
    private final ByteBuilder key = new ByteBuilder(64);
    private final EncodeColumn columns;
    private final UnorderedRows unordered;
    private final EncodedSlices encodedSlices;
    private final BlockCut cut;
    private final BlockCursor cursor = new BlockCursor();
    private @Nullable Sort sort;
    private @Nullable ColumnBatch decoded;

    public Encode(TableSchema schema) {
        this(schema, TokenTables.NONE);
    }

    /** Byte strings without dictionary become codes of these tables, unless the wish is PLAIN. */
    public Encode(TableSchema schema, TokenTables tokens) {
        this.schema = schema;
        this.codec = new KeyCodec(schema);
        this.writer = new SegmentWriter(schema, encoder);
        this.cut = new BlockCut(schema);
        this.columns = new EncodeColumn(schema, tokens, encoder, writer);
        this.unordered = new UnorderedRows(columns.builders());
        this.encodedSlices = new EncodedSlices(schema.columnCount());
    }

    /**
     * Appends rows [from, to) of a batch as a segment image.
     *
     * @param choices the wish for each column
     * @param sorted whether the rows are in key order
     */
    public void run(
            ColumnBatch batch,
            int from,
            int to,
            Choice[] choices,
            boolean sorted,
            SegmentIdentity identity,
            ByteBuilder out) {
        writer.begin(out, identity, sorted);
        int[] blockRows = cut.run(batch, from, to);
        int blocks = cut.blockCount();
        beginBlocks(blockRows, blocks, choices);
        columns.begin(writer, out, blockRows, blocks);
        for (int column = 0; column < schema.columnCount(); column++) {
            columns.run(batch, column, from, to, choices[column]);
        }
        if (sorted) {
            addKeys(batch, null, from, blockRows, blocks);
        }
        writer.finish();
    }

    /** Declares the blocks, and the columns that nobody is to encode after this. */
    private void beginBlocks(int[] blockRows, int blocks, Choice[] choices) {
        for (int i = 0; i < blocks; i++) {
            writer.beginBlock(blockRows[i]);
        }
        for (int column = 0; column < schema.columnCount(); column++) {
            if (choices[column] != Choice.PLAIN) {
                writer.complete(column);
            }
        }
    }

    /**
     * Encodes slices of a batch whose rows are not in the order of their keys: row {@code order[i]}
     * is the i-th. Each image is the same as that of a batch in which they are in order. Columns
     * are encoded one after the other, each for all slices while it is in the cache.
     *
     * @param order null if the rows are in order; nobody hears of columns then
     * @param bounds places in the order; slice i is {@code [bounds[i], bounds[i + 1])}
     * @param choices for each slice that has rows the wish for each column
     * @param out replaced by the image of one slice after the other
     * @param slices called for each slice that has rows
     */
    public void runOrdered(
            ColumnBatch batch,
            int @Nullable [] order,
            int[] bounds,
            Choice[][] choices,
            SegmentIdentity identity,
            ByteBuilder out,
            Slices slices) {
        if (order == null) {
            runInOrder(batch, bounds, choices, identity, out, slices);
            return;
        }
        unordered.begin(batch, order, slices);
        boolean columnByColumn = unordered.stringBytes() <= SegmentFormat.BLOCK_BYTES;
        if (columnByColumn) {
            encodeOrdered(bounds, choices);
        } else {
            for (int column = 0; column < schema.columnCount(); column++) {
                slices.next(column, 0, batch.rowCount());
            }
        }
        for (int slice = 0; slice + 1 < bounds.length; slice++) {
            int from = bounds[slice];
            int to = bounds[slice + 1];
            if (from == to) {
                continue;
            }
            out.clear();
            if (columnByColumn) {
                write(slice, from, to, choices[slice], identity, out);
            } else {
                run(gathered(from, to), 0, to - from, choices[slice], true, identity, out);
            }
            slices.encoded(slice);
        }
    }

    private void runInOrder(
            ColumnBatch batch,
            int[] bounds,
            Choice[][] choices,
            SegmentIdentity identity,
            ByteBuilder out,
            Slices slices) {
        for (int slice = 0; slice + 1 < bounds.length; slice++) {
            int from = bounds[slice];
            int to = bounds[slice + 1];
            if (from < to) {
                out.clear();
                run(batch, from, to, choices[slice], true, identity, out);
                slices.encoded(slice);
            }
        }
    }

    private void encodeOrdered(int[] bounds, Choice[][] choices) {
        encodedSlices.begin(bounds.length - 1);
        for (int column = 0; column < schema.columnCount(); column++) {
            unordered.goTo(column);
            for (int slice = 0; slice + 1 < bounds.length; slice++) {
                int rows = bounds[slice + 1] - bounds[slice];
                if (rows > 0) {
                    encodedSlices.goTo(slice, column);
                    int[] blockRows = cut.byRows(rows);
                    int blocks = cut.blockCount();
                    columns.begin(encodedSlices, encodedSlices.bytes(), blockRows, blocks);
                    Choice choice = choices[slice][column];
                    columns.runOrdered(unordered, column, bounds[slice], rows, choice);
                }
            }
            unordered.end();
        }
    }

    /** Writes the image of a slice that has been encoded. */
    private void write(
            int slice,
            int from,
            int to,
            Choice[] choices,
            SegmentIdentity identity,
            ByteBuilder out) {
        int bytes = encodedSlices.byteCount(slice);
        out.reserve(bytes + (bytes >> 4) + FOOTER_ROOM);
        writer.begin(out, identity, true);
        int[] blockRows = cut.byRows(to - from);
        beginBlocks(blockRows, cut.blockCount(), choices);
        encodedSlices.write(slice, writer);
        addKeys(unordered.batch(), unordered.order(), from, blockRows, cut.blockCount());
        writer.finish();
    }

    /** Rows of the unordered batch in a batch of their own, in order. */
    private ColumnBatch gathered(int from, int to) {
        ColumnBatch batch = emptyBatch();
        for (int column = 0; column < schema.columnCount(); column++) {
            unordered.gather(column, from, to - from, batch.column(column));
        }
        batch.setRowCount(to - from);
        return batch;
    }

    /** Bits of a code into a dictionary of {@code size} entries. */
    static int codeBits(int size) {
        return BitPacking.bitsFor(Math.max(0, size - 1));
    }

    /** Validity bits; empty if no row is NULL. */
    static long[] words(Validity validity) {
        return validity.hasNulls() ? validity.words() : Validity.NO_WORDS;
    }

    /** Adds the keys of some rows of each block and of the last row, if there is one. */
    private void addKeys(
            ColumnBatch batch, int @Nullable [] order, int from, int[] blockRows, int blocks) {
        int at = from;
        for (int i = 0; i < blocks; i++) {
            for (int row = 0; row < blockRows[i]; row += SegmentFormat.KEY_INDEX_ROWS) {
                addKey(batch, order == null ? at + row : order[at + row]);
            }
            at += blockRows[i];
        }
        if (at > from) {
            addKey(batch, order == null ? at - 1 : order[at - 1]);
        }
    }

    private void addKey(ColumnBatch batch, int row) {
        key.clear();
        codec.encode(batch, row, key);
        writer.addKey(key.array(), 0, key.length());
    }

    /**
     * Appends the same rows in key order with all columns encoded: the receiver's half of a step
     * that was cut. Columns without a dictionary get one if possible, unless they are known to be
     * plain; blocks of columns that are encoded already are copied.
     */
    public void complete(SegmentReader fragment, BitSet plainColumns, ByteBuilder out) {
        int rows = Math.toIntExact(fragment.rowCount());
        if (!fragment.sorted()) {
            ColumnBatch batch = emptyBatch();
            for (int column = 0; column < schema.columnCount(); column++) {
                decode(fragment, column, batch.column(column));
            }
            batch.setRowCount(rows);
            run(
                    ownSort().run(batch),
                    0,
                    rows,
                    missing(plainColumns),
                    true,
                    fragment.identity(),
                    out);
            return;
        }
        writer.begin(out, fragment.identity(), true);
        int blocks = fragment.blockCount();
        int[] blockRows = new int[blocks];
        for (int block = 0; block < blocks; block++) {
            blockRows[block] = fragment.blockRows(block);
            writer.beginBlock(blockRows[block]);
        }
        columns.begin(writer, out, blockRows, blocks);
        Choice[] choices = missing(plainColumns);
        ColumnBatch batch = emptyBatch();
        for (int column = 0; column < schema.columnCount(); column++) {
            writer.complete(column);
            if (fragment.statistics(column).complete()) {
                copy(fragment, column, out);
            } else {
                decode(fragment, column, batch.column(column));
                ColumnData values = batch.column(column);
                columns.run(values, column, 0, rows, choices[column]);
            }
        }
        for (int entry = 0; entry < fragment.keyCount(); entry++) {
            byte[] indexKey = fragment.indexKey(entry);
            writer.addKey(indexKey, 0, indexKey.length);
        }
        writer.finish();
    }

    private Choice[] missing(BitSet plainColumns) {
        Choice[] choices = new Choice[schema.columnCount()];
        Arrays.setAll(choices, i -> plainColumns.get(i) ? Choice.PACKED : Choice.DICTIONARY);
        return choices;
    }

    private void copy(SegmentReader fragment, int column, ByteBuilder out) {
        Dictionary dictionary = fragment.dictionary(column);
        if (dictionary != null) {
            writer.dictionary(column, dictionary);
        }
        if (fragment.statistics(column).overflowed()) {
            writer.overflowed(column);
        }
        TokenTable table = fragment.tokens(column);
        if (table != null) {
            writer.tokens(column, table, false);
        }
        for (int block = 0; block < fragment.blockCount(); block++) {
            writer.addInPlace(column, fragment.copyBlock(column, block, out), out);
        }
    }

    /** Whether {@link #complete} would do anything that the merge profits from. */
    public static boolean isComplete(SegmentReader fragment, BitSet plainColumns) {
        if (!fragment.sorted()) {
            return false;
        }
        for (int column = 0; column < fragment.schema().columnCount(); column++) {
            if (!fragment.statistics(column).complete() && !plainColumns.get(column)) {
                return false;
            }
        }
        return true;
    }

    private Sort ownSort() {
        Sort known = sort;
        if (known == null) {
            known = new Sort(schema);
            sort = known;
        }
        return known;
    }

    private ColumnBatch emptyBatch() {
        ColumnBatch batch = decoded;
        if (batch == null) {
            batch = ColumnBatch.forColumns(schema.columns(), 0);
            decoded = batch;
        }
        batch.clear();
        return batch;
    }

    private void decode(SegmentReader fragment, int column, ColumnData out) {
        int row = 0;
        for (int block = 0; block < fragment.blockCount(); block++) {
            cursor.open(fragment, column, block);
            cursor.append(0, cursor.rows(), out, row);
            row += cursor.rows();
        }
        cursor.close();
    }
}
