package dev.penstock.key;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/**
 * Encoded keys from {@code start} (inclusive) to {@code end} (exclusive); an empty array means
 * unbounded on that side. The one range convention of the project.
 */
public record KeyRange(byte[] start, byte[] end) {
    public static final KeyRange ALL = new KeyRange(new byte[0], new byte[0]);

    /** The keys from a first to a last one, both included. */
    public static KeyRange closed(byte[] first, byte[] last) {
        return new KeyRange(first, Arrays.copyOf(last, last.length + 1));
    }

    public boolean contains(byte[] key) {
        return Arrays.compareUnsigned(key, start) >= 0
                && (end.length == 0 || Arrays.compareUnsigned(key, end) < 0);
    }

    public boolean overlaps(KeyRange other) {
        return (end.length == 0 || Arrays.compareUnsigned(other.start, end) < 0)
                && (other.end.length == 0 || Arrays.compareUnsigned(start, other.end) < 0);
    }

    /**
     * Index of the range that holds a key.
     *
     * @param inOrder what has ranges, one after the other, that hold all keys together; not empty
     */
    public static <T> int indexOf(List<T> inOrder, Function<T, KeyRange> range, byte[] key) {
        int low = 0;
        int high = inOrder.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (Arrays.compareUnsigned(range.apply(inOrder.get(middle)).start(), key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The keys in both ranges; meaningful only if they overlap. */
    public KeyRange intersect(KeyRange other) {
        byte[] from = Arrays.compareUnsigned(start, other.start) >= 0 ? start : other.start;
        byte[] to =
                end.length == 0
                        ? other.end
                        : other.end.length == 0 || Arrays.compareUnsigned(end, other.end) <= 0
                                ? end
                                : other.end;
        return new KeyRange(from, to);
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof KeyRange other
                && Arrays.equals(start, other.start)
                && Arrays.equals(end, other.end);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(start) + Arrays.hashCode(end);
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return "[" + hex.formatHex(start) + ", " + hex.formatHex(end) + ")";
    }
}
