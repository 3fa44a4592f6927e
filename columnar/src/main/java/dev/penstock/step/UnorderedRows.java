package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenEncoder;
import dev.penstock.dict.TokenLane;
import dev.penstock.dict.TokenTable;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.sort.Gather;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * Rows of a batch that are encoded in another order than they lie in, slice by slice. What slices
 * have in common is done once, when the first of them asks for it, and in the order in which the
 * rows lie: values of a column are numbered, or their distances from one of them are taken, or byte
 * strings are cut into tokens. These are then brought into order, while they are in the cache, and
 * slices take them as they follow each other. Any other column is gathered as it is, so many rows
 * at a time as a slice has.
 *
 * <p>Phases: {@link #begin}; then slices take from columns, in any order. Owned by one thread;
 * keeps its memory for further batches.
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

    /** What slices of a column have in common, in order. */
    private static final class Lane {
        private State numbered = State.UNKNOWN;
        private int[] codes = new int[0];
        private @Nullable Dictionary dictionary;

        private State measured = State.UNKNOWN;
        private int[] distances = new int[0];
        private long base;

        private State cut = State.UNKNOWN;
        private final TokenColumn tokens = new TokenColumn();
    }

    private final Lane[] lanes;
    private final ColumnBuilders builders;
    private final LongColumn longs = new LongColumn(0);
    private final BytesColumn strings = new BytesColumn(0, 0);
    private final TokenEncoder encoder = new TokenEncoder();
    private final TokenColumn window = new TokenColumn();
    private final TokenLane tokens = new TokenLane();
    private ColumnBatch batch = new ColumnBatch(List.of());
    private int[] order = new int[0];

    /** Numbers of a column's rows as they lie. */
    private int[] numbers = new int[0];

    UnorderedRows(int columnCount, ColumnBuilders builders) {
        lanes = new Lane[columnCount];
        Arrays.setAll(lanes, i -> new Lane());
        this.builders = builders;
    }

    /** Goes to a batch, row {@code newOrder[i]} of which is the i-th. Both stay as they are. */
    void begin(ColumnBatch newBatch, int[] newOrder) {
        batch = newBatch;
        order = newOrder;
        int rows = batch.rowCount();
        numbers = numbers.length < rows ? new int[rows + (rows >> 2)] : numbers;
        for (Lane lane : lanes) {
            lane.numbered = State.UNKNOWN;
            lane.measured = State.UNKNOWN;
            lane.cut = State.UNKNOWN;
            lane.dictionary = null;
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
        for (int column = 0; column < lanes.length; column++) {
            if (batch.column(column) instanceof BytesColumn values) {
                bytes += values.offsets()[batch.rowCount()];
            }
        }
        return bytes;
    }

    /** The dictionary of a column of the batch; null if it has NULLs or too many values. */
    @Nullable Dictionary dictionary(int column) {
        Lane lane = lanes[column];
        if (lane.numbered == State.UNKNOWN) {
            lane.dictionary = number(column);
            lane.numbered = lane.dictionary == null ? State.IMPOSSIBLE : State.PRESENT;
        }
        return lane.dictionary;
    }

    private @Nullable Dictionary number(int column) {
        int rows = batch.rowCount();
        ColumnData values = batch.column(column);
        if (values.validity().hasNulls()) {
            return null;
        }
        boolean done = builders.run(column, values, 0, rows, Dictionary.MAX_ENTRIES, numbers);
        Dictionary found = done ? builders.dictionary(column, values) : null;
        if (found != null) {
            lanes[column].codes = inOrder(lanes[column].codes);
        }
        return found;
    }

    /** Brings numbers into order, in an array that was used for it before if it is long enough. */
    private int[] inOrder(int[] known) {
        int rows = batch.rowCount();
        int[] target = known.length < rows ? new int[numbers.length] : known;
        Gather.ints(numbers, order, 0, rows, target, 0);
        return target;
    }

    /** Codes of all rows in the column's {@link #dictionary}, which is there; not to be changed. */
    int[] codes(int column) {
        return lanes[column].codes;
    }

    /**
     * Whether a column has longs without NULLs that are near enough to each other for distances.
     */
    boolean hasDistances(int column) {
        Lane lane = lanes[column];
        if (lane.measured == State.UNKNOWN) {
            lane.measured = measure(column, lane) ? State.PRESENT : State.IMPOSSIBLE;
        }
        return lane.measured == State.PRESENT;
    }

    private boolean measure(int column, Lane lane) {
        if (!(batch.column(column) instanceof LongColumn values) || values.validity().hasNulls()) {
            return false;
        }
        lane.base = values.values()[0];
        if (!distances(values.values(), batch.rowCount(), lane.base, numbers)) {
            return false;
        }
        lane.distances = inOrder(lane.distances);
        return true;
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

    /** The value that a column's distances are from. */
    long base(int column) {
        return lanes[column].base;
    }

    /** Distances of all rows, of a column that {@link #hasDistances}; not to be changed. */
    int[] distances(int column) {
        return lanes[column].distances;
    }

    /** The tokens of all rows of a column of byte strings; null if it has NULLs. */
    @Nullable TokenColumn tokens(int column, TokenTable table) {
        BytesColumn values = batch.bytes(column);
        Lane lane = lanes[column];
        if (values.validity().hasNulls()) {
            return null;
        }
        if (lane.cut == State.UNKNOWN) {
            cut(values, table, lane.tokens);
            lane.cut = State.PRESENT;
        }
        return lane.tokens;
    }

    private void cut(BytesColumn values, TokenTable table, TokenColumn out) {
        tokens.clear();
        int rows = batch.rowCount();
        for (int from = 0; from < rows; from += SegmentFormat.BLOCK_ROWS) {
            int count = Math.min(SegmentFormat.BLOCK_ROWS, rows - from);
            encoder.encode(table, values.offsets(), values.data(), from, count, window, 0);
            tokens.append(window, count);
        }
        tokens.gather(order, 0, rows, out, 0);
    }

    /** The values of rows; valid until the next call for a column of the same kind. */
    ColumnData values(int column, int from, int count) {
        ColumnData source = batch.column(column);
        ColumnData target =
                switch (source) {
                    case LongColumn any -> longs;
                    case BytesColumn any -> strings;
                };
        gather(column, from, count, target);
        return target;
    }

    /** Replaces the rows of another column by the values of rows. */
    void gather(int column, int from, int count, ColumnData target) {
        Gather.rows(batch.column(column), batch.rowCount(), order, from, count, target);
    }
}
