package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenEncoder;
import dev.penstock.dict.TokenTable;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.sort.Gather;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Rows of a batch that are encoded in another order than they lie in, column by column, and each
 * slice by slice. What the slices of a column have in common is done once, when the first of them
 * asks for it, and in the order in which the rows lie: values are numbered, or their distances from
 * one of them are taken, or byte strings are cut into tokens. Slices then gather these, which are
 * few bytes and in the cache. Any other column is gathered as it is.
 *
 * <p>Phases: {@link #begin}; then, for each column, {@link #goTo} and its slices. Owned by one
 * thread; keeps its memory for further batches.
 */
final class UnorderedRows {

    /** Distances are from some value, and any two of them differ by an int. */
    private static final int DISTANCE_BITS = 31;

    private static final long HALF = 1L << DISTANCE_BITS - 1;

    private enum State {
        UNKNOWN,
        PRESENT,
        IMPOSSIBLE
    }

    private final ColumnBuilders builders;
    private final LongColumn longs = new LongColumn(0);
    private final BytesColumn strings = new BytesColumn(0, 0);
    private final TokenEncoder encoder = new TokenEncoder();
    private ColumnBatch batch = new ColumnBatch(List.of());
    private int[] order = new int[0];
    private Encode.@Nullable Slices listener;

    // Of the column, for its rows as they lie
    private int column;

    /** Rows that the listener has heard of. */
    private int announced;

    private State numbered = State.UNKNOWN;
    private @Nullable Dictionary dictionary;
    private int[] codes = new int[0];
    private State measured = State.UNKNOWN;
    private int[] distances = new int[0];
    private long base;
    private State cut = State.UNKNOWN;
    private final TokenColumn tokens = new TokenColumn();

    UnorderedRows(ColumnBuilders builders) {
        this.builders = builders;
    }

    /**
     * Goes to a batch, row {@code newOrder[i]} of which is the i-th. Both stay as they are.
     *
     * @param newListener hears of what is read of the columns gone to
     */
    void begin(ColumnBatch newBatch, int[] newOrder, Encode.Slices newListener) {
        batch = newBatch;
        order = newOrder;
        listener = newListener;
        int rows = batch.rowCount();
        if (codes.length < rows) {
            codes = new int[rows + (rows >> 2)];
            distances = new int[codes.length];
        }
    }

    /** Goes to a column. */
    void goTo(int newColumn) {
        column = newColumn;
        announced = 0;
        numbered = State.UNKNOWN;
        dictionary = null;
        measured = State.UNKNOWN;
        cut = State.UNKNOWN;
    }

    /** Nothing more is read of the column. */
    void end() {
        announce(batch.rowCount());
    }

    /** The first rows, so many, are read from now on. */
    private void announce(int rows) {
        Encode.Slices hearing = listener;
        if (announced < rows && hearing != null) {
            hearing.next(column, announced, rows);
            announced = rows;
        }
    }

    ColumnBatch batch() {
        return batch;
    }

    /** Where the rows lie; not to be changed. */
    int[] order() {
        return order;
    }

    /** Bytes of all byte strings of the batch. */
    long stringBytes() {
        long bytes = 0;
        for (int i = 0; i < batch.columnCount(); i++) {
            if (batch.column(i) instanceof BytesColumn values) {
                bytes += values.offsets()[batch.rowCount()];
            }
        }
        return bytes;
    }

    /** The dictionary of all rows; null if there are NULLs or too many values. */
    @Nullable Dictionary dictionary() {
        if (numbered == State.UNKNOWN) {
            dictionary = number();
            numbered = dictionary == null ? State.IMPOSSIBLE : State.PRESENT;
        }
        return dictionary;
    }

    private @Nullable Dictionary number() {
        ColumnData values = batch.column(column);
        if (values.validity().hasNulls()) {
            return null;
        }
        int rows = batch.rowCount();
        announce(rows);
        boolean done = builders.run(column, values, 0, rows, Dictionary.MAX_ENTRIES, codes);
        return done ? builders.dictionary(column, values) : null;
    }

    /** The codes of a slice in the {@link #dictionary}, which is there. */
    void codes(int from, int count, int[] out) {
        Gather.ints(codes, order, from, count, out, 0);
    }

    /** Whether these are longs without NULLs that are near enough to each other for distances. */
    boolean hasDistances() {
        if (measured == State.UNKNOWN) {
            measured = measure() ? State.PRESENT : State.IMPOSSIBLE;
        }
        return measured == State.PRESENT;
    }

    private boolean measure() {
        if (!(batch.column(column) instanceof LongColumn values) || values.validity().hasNulls()) {
            return false;
        }
        announce(batch.rowCount());
        base = values.values()[0];
        return distances(values.values(), batch.rowCount(), base, distances);
    }

    /** The distances from {@code base}; false if they are not all within 2^30 of it. */
    private static boolean distances(long[] values, int rows, long base, int[] out) {
        long high = 0;
        long overflow = 0;
        for (int i = 0; i < rows; i++) {
            long distance = values[i] - base;
            high |= distance + HALF;
            overflow |= (values[i] ^ base) & (values[i] ^ distance);
            out[i] = (int) distance;
        }
        return high >>> DISTANCE_BITS == 0 && overflow >= 0;
    }

    /** The value that distances are from. */
    long base() {
        return base;
    }

    /** The distances of a slice, if the column {@link #hasDistances}. */
    void distances(int from, int count, int[] out) {
        Gather.ints(distances, order, from, count, out, 0);
    }

    /** Cuts byte strings into the tokens of a table; false if there are NULLs. */
    boolean cut(TokenTable table) {
        if (cut == State.UNKNOWN) {
            BytesColumn values = batch.bytes(column);
            cut = values.validity().hasNulls() ? State.IMPOSSIBLE : State.PRESENT;
            if (cut == State.PRESENT) {
                cut(values, table);
            }
        }
        return cut == State.PRESENT;
    }

    private void cut(BytesColumn values, TokenTable table) {
        int rows = batch.rowCount();
        for (int from = 0; from < rows; from += SegmentFormat.BLOCK_ROWS) {
            int count = Math.min(SegmentFormat.BLOCK_ROWS, rows - from);
            announce(from + count);
            encoder.encode(table, values.offsets(), values.data(), from, count, tokens, from);
        }
    }

    /** Replaces the rows of {@code out} by the tokens of a slice; all rows have been cut. */
    void tokens(int from, int count, TokenColumn out) {
        tokens.gather(order, from, count, out, 0);
    }

    /** The values of a slice; valid until the next call for a column of the same kind. */
    ColumnData values(int from, int count) {
        announce(batch.rowCount());
        ColumnData target =
                switch (batch.column(column)) {
                    case LongColumn any -> longs;
                    case BytesColumn any -> strings;
                };
        gather(column, from, count, target);
        return target;
    }

    /** Replaces the rows of another column by the values of a slice of any column. */
    void gather(int anyColumn, int from, int count, ColumnData target) {
        Gather.rows(batch.column(anyColumn), batch.rowCount(), order, from, count, target);
    }
}
