package dev.penstock.kv.wire;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows as they travel in replies to reads and in puts:
 *
 * <pre>
 *   int rowCount, int columnCount, then per column:
 *   byte kind (0 LONG, 1 BYTES), byte hasNulls, [validity words of 8 bytes, bit = row &amp; 63]
 *   LONG:  byte width (1, 2, 4 or 8), rowCount values of that width, signed
 *   BYTES: byte width (1, 2 or 4), rowCount lengths of that width, unsigned; then the bytes
 * </pre>
 */
public final class BatchCodec {
    /** Most rows of one batch. */
    public static final int MAX_ROWS = 1 << 20;

    /**
     * Most values of one batch: a byte on the way may become eight in memory, and senders count a
     * value as four bytes at least.
     */
    private static final long MAX_VALUES = Frame.MAX_BYTES / 4;

    private BatchCodec() {}

    /** Appends rows {@code [from, to)}. */
    public static void put(ColumnBatch batch, int from, int to, ByteBuilder out) {
        // Most numbers take half of their bytes or less.
        out.reserve((int) Math.min(bytes(batch, from, to) / 2, Frame.MAX_BYTES));
        out.putInt(to - from).putInt(batch.columnCount());
        for (int i = 0; i < batch.columnCount(); i++) {
            ColumnData column = batch.column(i);
            out.putByte(column instanceof LongColumn ? 0 : 1);
            putValidity(column.validity(), from, to, out);
            switch (column) {
                case LongColumn longs -> putLongs(longs.values(), from, to, out);
                case BytesColumn bytes -> putBytes(bytes, from, to, out);
            }
        }
    }

    public static void put(ColumnBatch batch, ByteBuilder out) {
        put(batch, 0, batch.rowCount(), out);
    }

    /** A batch of its own memory. */
    public static ColumnBatch get(ByteParser in) {
        int rowCount = in.getInt();
        if (rowCount < 0 || rowCount > MAX_ROWS) {
            throw PenstockException.corrupt("a message holds " + rowCount + " rows");
        }
        int columnCount = in.getCount(3);
        if (columnCount > TableSchema.MAX_COLUMNS) {
            throw PenstockException.corrupt("a message holds " + columnCount + " columns");
        }
        if ((long) rowCount * columnCount > MAX_VALUES) {
            throw PenstockException.corrupt(
                    "a message holds " + rowCount + " rows of " + columnCount + " columns");
        }
        List<ColumnData> columns = new ArrayList<>(columnCount);
        for (int i = 0; i < columnCount; i++) {
            boolean bytes = Fields.getBoolean(in);
            boolean hasNulls = Fields.getBoolean(in);
            int words = hasNulls ? Validity.wordCount(rowCount) : 0;
            long[] validity = getWords(in, words);
            ColumnData column = bytes ? getBytes(in, rowCount) : getLongs(in, rowCount);
            if (hasNulls) {
                column.validity().ensureBits(rowCount);
                System.arraycopy(validity, 0, column.validity().words(), 0, words);
                trimValidity(column.validity().words(), rowCount);
            }
            columns.add(column);
        }
        ColumnBatch batch = new ColumnBatch(columns);
        batch.setRowCount(rowCount);
        return batch;
    }

    private static void putValidity(Validity validity, int from, int to, ByteBuilder out) {
        Fields.putBoolean(validity.hasNulls(), out);
        if (!validity.hasNulls()) {
            return;
        }
        long[] words = validity.words();
        int shift = from & 63;
        int first = from >> 6;
        int count = Validity.wordCount(to - from);
        for (int i = 0; i < count; i++) {
            long low = first + i < words.length ? words[first + i] >>> shift : -1L;
            long high =
                    shift == 0
                            ? 0
                            : (first + i + 1 < words.length ? words[first + i + 1] : -1L)
                                    << (64 - shift);
            out.putLong(low | high);
        }
    }

    private static long[] getWords(ByteParser in, int count) {
        int at = in.position();
        if ((long) count * 8 > in.remaining()) {
            throw PenstockException.corrupt(
                    "a message ends within the NULL bits that start at byte " + at);
        }
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = in.getLong();
        }
        return words;
    }

    /** Bits beyond the last row must read as not NULL, whatever the peer put there. */
    private static void trimValidity(long[] words, int rowCount) {
        if ((rowCount & 63) != 0) {
            words[rowCount >> 6] |= -1L << rowCount;
        }
    }

    private static void putLongs(long[] values, int from, int to, ByteBuilder out) {
        long spread = 0;
        for (int i = from; i < to; i++) {
            spread |= values[i] ^ (values[i] >> 63);
        }
        int bits = 65 - Long.numberOfLeadingZeros(spread);
        int width = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
        out.putByte(width);
        int at = out.reserve(Math.multiplyExact(to - from, width));
        byte[] target = out.array();
        switch (width) {
            case 1 -> {
                for (int i = from; i < to; i++) {
                    target[at + i - from] = (byte) values[i];
                }
            }
            case 2 -> {
                for (int i = from; i < to; i++) {
                    ByteAccess.putShort(target, at + 2 * (i - from), (int) values[i]);
                }
            }
            case 4 -> {
                for (int i = from; i < to; i++) {
                    ByteAccess.putInt(target, at + 4 * (i - from), (int) values[i]);
                }
            }
            default -> {
                for (int i = from; i < to; i++) {
                    ByteAccess.putLong(target, at + 8 * (i - from), values[i]);
                }
            }
        }
        out.setLength(at + (to - from) * width);
    }

    private static LongColumn getLongs(ByteParser in, int rowCount) {
        int width = in.getByte();
        if (width != 1 && width != 2 && width != 4 && width != 8) {
            throw PenstockException.corrupt("a message holds values of " + width + " bytes");
        }
        int at = in.skip(Math.multiplyExact(rowCount, width));
        byte[] source = in.array();
        LongColumn column = new LongColumn(rowCount);
        long[] values = column.values();
        switch (width) {
            case 1 -> {
                for (int i = 0; i < rowCount; i++) {
                    values[i] = source[at + i];
                }
            }
            case 2 -> {
                for (int i = 0; i < rowCount; i++) {
                    values[i] = ByteAccess.getShort(source, at + 2 * i);
                }
            }
            case 4 -> {
                for (int i = 0; i < rowCount; i++) {
                    values[i] = ByteAccess.getInt(source, at + 4 * i);
                }
            }
            default -> {
                for (int i = 0; i < rowCount; i++) {
                    values[i] = ByteAccess.getLong(source, at + 8 * i);
                }
            }
        }
        return column;
    }

    private static void putBytes(BytesColumn column, int from, int to, ByteBuilder out) {
        int[] offsets = column.offsets();
        int longest = 0;
        for (int i = from; i < to; i++) {
            longest |= offsets[i + 1] - offsets[i];
        }
        int width = longest < 1 << 8 ? 1 : longest < 1 << 16 ? 2 : 4;
        out.putByte(width);
        int at = out.reserve(Math.multiplyExact(to - from, width));
        byte[] target = out.array();
        switch (width) {
            case 1 -> {
                for (int i = from; i < to; i++) {
                    target[at + i - from] = (byte) (offsets[i + 1] - offsets[i]);
                }
            }
            case 2 -> {
                for (int i = from; i < to; i++) {
                    ByteAccess.putShort(target, at + 2 * (i - from), offsets[i + 1] - offsets[i]);
                }
            }
            default -> {
                for (int i = from; i < to; i++) {
                    ByteAccess.putInt(target, at + 4 * (i - from), offsets[i + 1] - offsets[i]);
                }
            }
        }
        out.setLength(at + (to - from) * width);
        out.write(column.data(), offsets[from], offsets[to] - offsets[from]);
    }

    private static BytesColumn getBytes(ByteParser in, int rowCount) {
        int width = in.getByte();
        if (width != 1 && width != 2 && width != 4) {
            throw PenstockException.corrupt("a message holds lengths of " + width + " bytes");
        }
        if ((long) rowCount * width > in.remaining()) {
            throw PenstockException.corrupt("a message ends within the lengths of its values");
        }
        int lengths = in.skip(rowCount * width);
        BytesColumn column = new BytesColumn(rowCount, 0);
        long end = findOffsets(in.array(), lengths, width, rowCount, column.offsets());
        if (end < 0 || end > in.remaining()) {
            throw PenstockException.corrupt(
                    "a message holds values that are longer than the "
                            + in.remaining()
                            + " bytes that follow");
        }
        int at = in.skip((int) end);
        column.ensureBytes(end);
        System.arraycopy(in.array(), at, column.data(), 0, (int) end);
        return column;
    }

    /** Adds up lengths; answers their sum, or -1 if one is negative. */
    private static long findOffsets(byte[] source, int at, int width, int rowCount, int[] offsets) {
        long end = 0;
        int all = 0;
        switch (width) {
            case 1 -> {
                for (int i = 0; i < rowCount; i++) {
                    end += source[at + i] & 0xFF;
                    offsets[i + 1] = (int) end;
                }
            }
            case 2 -> {
                for (int i = 0; i < rowCount; i++) {
                    end += ByteAccess.getShort(source, at + 2 * i) & 0xFFFF;
                    offsets[i + 1] = (int) end;
                }
            }
            default -> {
                for (int i = 0; i < rowCount; i++) {
                    int length = ByteAccess.getInt(source, at + 4 * i);
                    all |= length;
                    end += length;
                    offsets[i + 1] = (int) end;
                }
            }
        }
        return all < 0 ? -1 : end;
    }

    /** About how many bytes a row takes. */
    public static long rowBytes(ColumnBatch batch, int row) {
        return bytes(batch, row, row + 1);
    }

    /** About how many bytes rows {@code [from, to)} take. */
    public static long bytes(ColumnBatch batch, int from, int to) {
        long bytes = 0;
        for (int i = 0; i < batch.columnCount(); i++) {
            bytes +=
                    switch (batch.column(i)) {
                        case LongColumn _ -> 8L * (to - from);
                        case BytesColumn column ->
                                4L * (to - from) + column.offsets()[to] - column.offsets()[from];
                    };
        }
        return bytes;
    }

    /** A batch that holds copies of rows {@code [from, to)}. */
    public static ColumnBatch slice(ColumnBatch batch, int from, int to) {
        int count = to - from;
        List<ColumnData> columns = new ArrayList<>(batch.columnCount());
        for (int i = 0; i < batch.columnCount(); i++) {
            ColumnData source = batch.column(i);
            ColumnData copy =
                    switch (source) {
                        case LongColumn longs -> sliceLongs(longs, from, count);
                        case BytesColumn bytes -> sliceBytes(bytes, from, count);
                    };
            if (source.validity().hasNulls()) {
                for (int row = 0; row < count; row++) {
                    if (!source.validity().isValid(from + row)) {
                        copy.validity().setNull(row, count);
                    }
                }
            }
            columns.add(copy);
        }
        ColumnBatch result = new ColumnBatch(columns);
        result.setRowCount(count);
        return result;
    }

    private static LongColumn sliceLongs(LongColumn source, int from, int count) {
        LongColumn copy = new LongColumn(count);
        System.arraycopy(source.values(), from, copy.values(), 0, count);
        return copy;
    }

    private static BytesColumn sliceBytes(BytesColumn source, int from, int count) {
        int[] offsets = source.offsets();
        int start = offsets[from];
        int bytes = offsets[from + count] - start;
        BytesColumn copy = new BytesColumn(count, bytes);
        for (int row = 0; row <= count; row++) {
            copy.offsets()[row] = offsets[from + row] - start;
        }
        System.arraycopy(source.data(), start, copy.data(), 0, bytes);
        return copy;
    }

    /** A batch that holds copies of the rows {@code rows[from .. to)}. */
    public static ColumnBatch pick(ColumnBatch batch, int[] rows, int from, int to) {
        int count = to - from;
        List<ColumnData> columns = new ArrayList<>(batch.columnCount());
        for (int i = 0; i < batch.columnCount(); i++) {
            ColumnData source = batch.column(i);
            ColumnData copy =
                    switch (source) {
                        case LongColumn _ -> new LongColumn(count);
                        case BytesColumn _ -> new BytesColumn(count, 16 * count);
                    };
            for (int target = 0; target < count; target++) {
                copyValue(source, rows[from + target], copy, target);
            }
            if (source.validity().hasNulls()) {
                for (int row = 0; row < count; row++) {
                    if (!source.validity().isValid(rows[from + row])) {
                        copy.validity().setNull(row, count);
                    }
                }
            }
            columns.add(copy);
        }
        ColumnBatch result = new ColumnBatch(columns);
        result.setRowCount(count);
        return result;
    }

    private static void copyValue(ColumnData source, int row, ColumnData copy, int copyRow) {
        if (source instanceof LongColumn in && copy instanceof LongColumn out) {
            out.values()[copyRow] = in.values()[row];
        } else if (source instanceof BytesColumn in && copy instanceof BytesColumn out) {
            int start = in.offsets()[row];
            out.append(copyRow, in.data(), start, in.offsets()[row + 1] - start);
        }
    }

    /** An empty batch of the same shape, with as much memory. */
    public static ColumnBatch emptyLike(ColumnBatch batch) {
        List<ColumnData> columns = new ArrayList<>(batch.columnCount());
        for (int i = 0; i < batch.columnCount(); i++) {
            columns.add(
                    switch (batch.column(i)) {
                        case LongColumn longs -> new LongColumn(longs.values().length);
                        case BytesColumn bytes ->
                                new BytesColumn(bytes.offsets().length - 1, bytes.data().length);
                    });
        }
        return new ColumnBatch(columns);
    }

    /**
     * Gives {@code out}, which must have the same shape, the rows of {@code source} together with
     * the memory that they lie in; {@code source} is of no use afterwards.
     */
    public static void move(ColumnBatch source, ColumnBatch out) {
        if (source.columnCount() != out.columnCount()) {
            throw PenstockException.corrupt(
                    "rows of "
                            + source.columnCount()
                            + " columns came where "
                            + out.columnCount()
                            + " were asked for");
        }
        out.clear();
        for (int i = 0; i < source.columnCount(); i++) {
            ColumnData from = source.column(i);
            ColumnData to = out.column(i);
            if (from instanceof LongColumn in && to instanceof LongColumn target) {
                target.swap(in);
            } else if (from instanceof BytesColumn in && to instanceof BytesColumn target) {
                target.swap(in);
            } else {
                throw PenstockException.corrupt("column " + i + " came in another form than asked");
            }
        }
        out.setRowCount(source.rowCount());
    }
}
