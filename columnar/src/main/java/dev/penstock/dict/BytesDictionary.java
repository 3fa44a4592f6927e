package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.ByteStrings;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** A dictionary of byte strings. */
public final class BytesDictionary implements Dictionary {
    /** Readable bytes after the last value, so that kernels may copy whole words. */
    public static final int SLACK = 64;

    private final int size;
    private final int[] offsets;
    private final byte[] data;

    /** Made when first needed, by races that make the same. */
    private @Nullable Heads heads;

    /**
     * The beginnings of the values, in their order: most comparisons end there.
     *
     * @param values by code the {@link ByteStrings#orderedHead}
     */
    private record Heads(long[] values) {}

    /**
     * Takes ownership of the arrays. Value {@code code} is {@code data[offsets[code] ..
     * offsets[code + 1])}; values are strictly ascending; {@code data} has {@link #SLACK} bytes
     * more.
     */
    public BytesDictionary(int size, int[] offsets, byte[] data) {
        this.size = size;
        this.offsets = offsets;
        this.data = data;
    }

    @Override
    public int size() {
        return size;
    }

    public int[] offsets() {
        return offsets;
    }

    public byte[] data() {
        return data;
    }

    public int byteCount() {
        return offsets[size];
    }

    public int length(int code) {
        return offsets[code + 1] - offsets[code];
    }

    public byte[] value(int code) {
        return Arrays.copyOfRange(data, offsets[code], offsets[code + 1]);
    }

    /** Number of entries smaller than {@code value}: its code, if it is an entry. */
    public int lowerBound(byte[] value) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, value, 0, value.length) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int compare(int code, byte[] other, int from, int to) {
        return ByteAccess.compare(data, offsets[code], offsets[code + 1], other, from, to);
    }

    private int compare(int code, BytesDictionary other, int otherCode) {
        return compare(code, other.data, other.offsets[otherCode], other.offsets[otherCode + 1]);
    }

    private long[] heads() {
        Heads known = heads;
        if (known == null) {
            long[] values = new long[size];
            for (int code = 0; code < size; code++) {
                values[code] = ByteStrings.orderedHead(data, offsets[code], length(code));
            }
            known = new Heads(values);
            heads = known;
        }
        return known.values;
    }

    /** Whether each value is greater than the one before, as the values of a dictionary must be. */
    public boolean ascends() {
        long[] own = heads();
        for (int code = 1; code < size; code++) {
            if (own[code - 1] >= own[code]
                    && (own[code - 1] > own[code] || compare(code - 1, this, code) >= 0)) {
                return false;
            }
        }
        return true;
    }

    boolean sameAs(BytesDictionary other) {
        return this == other
                || size == other.size
                        && Arrays.equals(offsets, 0, size + 1, other.offsets, 0, size + 1)
                        && Arrays.equals(data, 0, byteCount(), other.data, 0, byteCount());
    }

    /** Both dictionaries' values; this very object if it holds all of the other's. */
    BytesDictionary union(BytesDictionary other) {
        if (sameAs(other)) {
            return this;
        }
        long[] own = heads();
        long[] others = other.heads();
        int[] from = new int[size + other.size];
        int count = 0;
        int i = 0;
        int j = 0;
        while (i < size && j < other.size) {
            int order = own[i] < others[j] ? -1 : 1;
            if (own[i] == others[j]) {
                order = compare(i, other, j);
            }
            from[count++] = order <= 0 ? i : ~j;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        if (count + size - i + other.size - j == size) {
            return this;
        }
        for (; i < size; i++) {
            from[count++] = i;
        }
        for (; j < other.size; j++) {
            from[count++] = ~j;
        }
        return select(from, count, other);
    }

    private BytesDictionary select(int[] from, int count, BytesDictionary other) {
        int[] newOffsets = new int[count + 1];
        for (int k = 0; k < count; k++) {
            int length = from[k] >= 0 ? length(from[k]) : other.length(~from[k]);
            newOffsets[k + 1] = newOffsets[k] + length;
        }
        byte[] newData = new byte[newOffsets[count] + SLACK];
        for (int k = 0; k < count; k++) {
            BytesDictionary source = from[k] >= 0 ? this : other;
            int code = from[k] >= 0 ? from[k] : ~from[k];
            System.arraycopy(
                    source.data, source.offsets[code], newData, newOffsets[k], source.length(code));
        }
        return new BytesDictionary(count, newOffsets, newData);
    }

    /** For each code of this dictionary the code in {@code wider}, which holds all its values. */
    public char[] remapTo(BytesDictionary wider) {
        long[] own = heads();
        long[] others = wider.heads();
        char[] codes = new char[size];
        int code = 0;
        for (int i = 0; i < size; i++) {
            while (others[code] < own[i]) {
                code++;
            }
            while (!isSame(i, wider, code)) {
                code++;
            }
            codes[i] = (char) code;
        }
        return codes;
    }

    /** Whether a value, whose head is that of another, is the same. */
    private boolean isSame(int code, BytesDictionary other, int otherCode) {
        int length = length(code);
        return length == other.length(otherCode)
                && (length <= 8 || compare(code, other, otherCode) == 0);
    }
}
