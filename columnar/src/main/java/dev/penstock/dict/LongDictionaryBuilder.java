package dev.penstock.dict;

import java.util.Arrays;

/**
 * Finds the distinct values of a slice and the code of each row.
 *
 * <p>Two ways. If the values span a small domain, a presence byte per possible value is set, the
 * bytes are scanned for the ranks, and codes are looked up: no hashing, no sorting, about 1 ns a
 * value. Otherwise values are numbered by first appearance in an open-addressing table, the
 * distinct ones are sorted, and the numbers become codes; it gives up at the first value too many,
 * so a column of unique values costs its first {@link Dictionary#MAX_ENTRIES} rows only.
 *
 * <p>Owned by one thread; the result of {@link #dictionary} belongs to the caller.
 */
public final class LongDictionaryBuilder {
    private static final int MAX_DOMAIN = 1 << 16;
    private static final int MIN_DOMAIN = 1 << 12;
    private static final int DOMAIN_PER_ROW = 8;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private byte[] present = new byte[0];
    private int[] rank = new int[0];
    private long[] keys = new long[0];
    private int[] numbers = new int[0];
    private final long[] distinct = new long[Dictionary.MAX_ENTRIES];
    private LongDictionary result = new LongDictionary(new long[0]);

    /**
     * Codes of {@code values[from .. from + count)}, all of which count as values.
     *
     * @param limit most distinct values wanted, at most {@link Dictionary#MAX_ENTRIES}
     * @param codes gets {@code count} codes
     * @return false if there are more
     */
    public boolean run(long[] values, int from, int count, int limit, int[] codes) {
        if (count == 0) {
            result = new LongDictionary(new long[0]);
            return true;
        }
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int i = from; i < from + count; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
        }
        long span = max - min;
        int domain = Math.clamp((long) DOMAIN_PER_ROW * count, MIN_DOMAIN, MAX_DOMAIN);
        if (span >= 0 && span < domain) {
            return runDomain(values, from, count, min, (int) span + 1, limit, codes);
        }
        return runHash(values, from, count, limit, codes);
    }

    /** The dictionary of the last successful run. */
    public LongDictionary dictionary() {
        return result;
    }

    private boolean runDomain(
            long[] values, int from, int count, long min, int domain, int limit, int[] codes) {
        if (present.length < domain) {
            present = new byte[Math.max(domain, MIN_DOMAIN)];
            rank = new int[present.length];
        } else {
            Arrays.fill(present, 0, domain, (byte) 0);
        }
        byte[] seen = present;
        for (int i = from; i < from + count; i++) {
            seen[(int) (values[i] - min)] = 1;
        }
        int size = 0;
        for (int i = 0; i < domain; i++) {
            rank[i] = size;
            size += seen[i];
        }
        if (size > limit) {
            return false;
        }
        long[] sorted = new long[size];
        for (int i = 0; i < domain; i++) {
            if (seen[i] != 0) {
                sorted[rank[i]] = min + i;
            }
        }
        int[] ranks = rank;
        for (int i = 0; i < count; i++) {
            codes[i] = ranks[(int) (values[from + i] - min)];
        }
        result = new LongDictionary(sorted);
        return true;
    }

    private boolean runHash(long[] values, int from, int count, int limit, int[] codes) {
        int size = 0;
        resetTable(1 << 10);
        int shift = 64 - Integer.numberOfTrailingZeros(keys.length);
        for (int i = 0; i < count; i++) {
            long value = values[from + i];
            int slot = (int) ((value * MIX) >>> shift);
            while (numbers[slot] != 0 && keys[slot] != value) {
                slot = (slot + 1) & (keys.length - 1);
            }
            if (numbers[slot] == 0) {
                if (size == limit) {
                    return false;
                }
                distinct[size] = value;
                keys[slot] = value;
                numbers[slot] = ++size;
                if (size * 2 == keys.length) {
                    growTable(size);
                    shift = 64 - Integer.numberOfTrailingZeros(keys.length);
                }
                codes[i] = size - 1;
            } else {
                codes[i] = numbers[slot] - 1;
            }
        }
        finishHash(size, count, codes);
        return true;
    }

    private void finishHash(int size, int count, int[] codes) {
        long[] sorted = Arrays.copyOf(distinct, size);
        Arrays.sort(sorted);
        int[] codeOf = new int[size];
        for (int i = 0; i < size; i++) {
            codeOf[i] = Arrays.binarySearch(sorted, distinct[i]);
        }
        for (int i = 0; i < count; i++) {
            codes[i] = codeOf[codes[i]];
        }
        result = new LongDictionary(sorted);
    }

    private void resetTable(int slots) {
        if (keys.length != slots) {
            keys = new long[slots];
            numbers = new int[slots];
        } else {
            Arrays.fill(numbers, 0);
        }
    }

    private void growTable(int size) {
        resetTable(keys.length * 4);
        int shift = 64 - Integer.numberOfTrailingZeros(keys.length);
        for (int i = 0; i < size; i++) {
            int slot = (int) ((distinct[i] * MIX) >>> shift);
            while (numbers[slot] != 0) {
                slot = (slot + 1) & (keys.length - 1);
            }
            keys[slot] = distinct[i];
            numbers[slot] = i + 1;
        }
    }
}
