package dev.penstock.dict;

import dev.penstock.kernel.BitPacking;

import java.util.Arrays;

/**
 * Finds the distinct values of a slice and the code of each row.
 *
 * <p>The entries of one slice are kept for the next one of the same column, which mostly has the
 * same: then each value is looked up once, in a table by its distance from the smallest entry, and
 * its entry is marked as occurring; nothing is sorted, and nothing is translated if all entries
 * occur. New values are added and the entries put in order again. The result is always exactly that
 * of the slice: entries that do not occur in it are left out. Columns whose values span too large a
 * domain use an open-addressing table instead.
 *
 * <p>It gives up at the first value too many, so a column of unique values costs its first few
 * thousand rows only.
 *
 * <p>Owned by one thread; the result of {@link #dictionary} belongs to the caller.
 */
public final class LongDictionaryBuilder {
    private static final int MAX_DOMAIN = 1 << 16;
    private static final int MIN_DOMAIN = 1 << 12;
    private static final int DOMAIN_PER_ROW = 8;
    private static final int MIN_KEPT = 64;
    private static final int FIRST_SLOTS = 1 << 10;

    /** Rows looked up by one call of a hot loop. */
    private static final int WINDOW = 1 << 13;

    /** Rows after which it is found out whether all entries have been seen. */
    private static final int MARKED_WINDOW = 1 << 11;

    /** In place of an entry number: free. No entry number has this bit. */
    private static final short FREE = Dictionary.MAX_ENTRIES;

    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final LongDictionary EMPTY = new LongDictionary(new long[0]);

    private final EntryMarks marks = new EntryMarks();
    private long[] entries = new long[MIN_KEPT];
    private int size;

    /** Whether entries are in ascending order; then {@link #all} holds them. */
    private boolean ordered = true;

    private LongDictionary all = EMPTY;

    /** Entry number by slot, a power of two. Slots are distances from {@link #base}, or hashed. */
    private short[] numbers = {FREE};

    private boolean hashed;
    private long base;
    private long[] keys = new long[0];
    private LongDictionary result = EMPTY;

    /**
     * Codes of {@code values[from .. from + count)}, all of which count as values.
     *
     * @param limit most distinct values wanted, at most {@link Dictionary#MAX_ENTRIES}
     * @param codes gets {@code count} codes
     * @return false if there are more
     */
    public boolean run(long[] values, int from, int count, int limit, int[] codes) {
        if (count == 0) {
            result = EMPTY;
            return true;
        }
        if (hashed && fits(values, from, count)) {
            forget();
        }
        if (size == 0 || !numberAll(values, from, count, codes)) {
            int most = Math.clamp(2L * count, MIN_KEPT, Dictionary.MAX_ENTRIES);
            if (size == 0 || !addUnknown(values, from, count, most, false)) {
                forget();
                if (!addUnknown(values, from, count, limit, true)) {
                    forget();
                    return false;
                }
            }
            if (!numberAll(values, from, count, codes)) {
                throw new IllegalStateException("a value was not found in its own dictionary");
            }
        }
        return finish(count, limit, codes);
    }

    /** The dictionary of the last successful run. */
    public LongDictionary dictionary() {
        return result;
    }

    /**
     * Numbers all rows and marks their entries; false if there is a value without entry. Once all
     * entries are marked, rows are only looked up.
     */
    private boolean numberAll(long[] values, int from, int count, int[] codes) {
        marks.clear(size);
        int done = 0;
        boolean allSeen = false;
        while (done < count) {
            int to = Math.min(count, done + (allSeen ? WINDOW : MARKED_WINDOW));
            if (!number(values, from, done, to, codes, allSeen)) {
                return false;
            }
            done = to;
            allSeen = allSeen || marks.count(size) == size;
        }
        return true;
    }

    private boolean number(long[] values, int from, int at, int to, int[] codes, boolean allSeen) {
        if (hashed) {
            return numberHashed(values, from, at, to, codes);
        }
        if (!allSeen) {
            return markDirect(values, from, at, to, codes);
        }
        boolean dense = ordered && entries[0] == base && entries[size - 1] - base == size - 1;
        return dense
                ? subtract(values, from, at, to, base, size - 1, codes)
                : lookUp(values, from, at, to, base, numbers, codes);
    }

    /** The code of a value is its distance from the smallest one. */
    private static boolean subtract(
            long[] values, int from, int at, int to, long low, long highest, int[] codes) {
        long signs = 0;
        for (int i = at; i < to; i++) {
            long distance = values[from + i] - low;
            signs |= distance | highest - distance;
            codes[i] = (int) distance;
        }
        return signs >= 0;
    }

    private static boolean lookUp(
            long[] values, int from, int at, int to, long low, short[] table, int[] codes) {
        long distances = 0;
        int found = 0;
        for (int i = at; i < to; i++) {
            long distance = values[from + i] - low;
            distances |= distance;
            int number = table[(int) distance & (table.length - 1)];
            found |= number;
            codes[i] = number;
        }
        return Long.compareUnsigned(distances, table.length) < 0 && (found & FREE) == 0;
    }

    /** As {@link #lookUp}, with marks; after a failure these mean nothing. */
    private boolean markDirect(long[] values, int from, int at, int to, int[] codes) {
        short[] table = numbers;
        byte[] seen = marks.bytes();
        long low = base;
        long distances = 0;
        int found = 0;
        for (int i = at; i < to; i++) {
            long distance = values[from + i] - low;
            distances |= distance;
            int number = table[(int) distance & (table.length - 1)];
            found |= number;
            seen[number & (seen.length - 1)] = 1;
            codes[i] = number;
        }
        return Long.compareUnsigned(distances, table.length) < 0 && (found & FREE) == 0;
    }

    private boolean numberHashed(long[] values, int from, int at, int to, int[] codes) {
        short[] table = numbers;
        long[] slotKeys = keys;
        byte[] seen = marks.bytes();
        int shift = Long.numberOfLeadingZeros(table.length) + 1;
        int last = table.length - 1;
        for (int i = at; i < to; i++) {
            long value = values[from + i];
            int slot = (int) (value * MIX >>> shift);
            while (table[slot] != FREE && slotKeys[slot] != value) {
                slot = (slot + 1) & last;
            }
            int number = table[slot];
            if (number == FREE) {
                return false;
            }
            seen[number] = 1;
            codes[i] = number;
        }
        return true;
    }

    /**
     * Makes entries of all values that are none; false if there is no room for them.
     *
     * @param own whether all entries are values of this slice
     */
    private boolean addUnknown(long[] values, int from, int count, int most, boolean own) {
        for (int i = from; i < from + count; i++) {
            long value = values[i];
            if (!hashed && !isInTable(value) && !layOut(values, from, count)) {
                if (!own) {
                    return false;
                }
                hashed = true;
                layOutHashed(Math.max(FIRST_SLOTS, Integer.highestOneBit(Math.max(1, size)) * 4));
            }
            int slot = slotOf(value);
            if (numbers[slot] == FREE) {
                if (size >= most) {
                    return false;
                }
                add(value, slot);
            }
        }
        return true;
    }

    private boolean isInTable(long value) {
        return Long.compareUnsigned(value - base, numbers.length) < 0;
    }

    private void add(long value, int slot) {
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, Math.min(Dictionary.MAX_ENTRIES, 4 * size));
        }
        marks.ensure(size + 1);
        entries[size] = value;
        numbers[slot] = (short) size++;
        ordered = false;
        if (hashed) {
            keys[slot] = value;
            if (2 * size > numbers.length) {
                layOutHashed(4 * numbers.length);
            }
        }
    }

    /** Makes the direct table wide enough for the slice and the entries; false if too wide. */
    private boolean layOut(long[] values, int from, int count) {
        long low = lowest(values, from, count);
        long high = highest(values, from, count);
        if (size > 0) {
            low = Math.min(low, lowest(entries, 0, size));
            high = Math.max(high, highest(entries, 0, size));
        }
        if (high - low < 0 || high - low >= widest(count)) {
            return false;
        }
        base = low;
        int least = Math.max(MIN_KEPT, (int) (high - low) + 1);
        freeAll(1 << BitPacking.bitsFor(least - 1));
        for (int i = 0; i < size; i++) {
            numbers[(int) (entries[i] - low)] = (short) i;
        }
        return true;
    }

    private boolean fits(long[] values, int from, int count) {
        long span = highest(values, from, count) - lowest(values, from, count);
        return span >= 0 && span < widest(count);
    }

    private static int widest(int count) {
        return Math.clamp((long) DOMAIN_PER_ROW * count, MIN_DOMAIN, MAX_DOMAIN);
    }

    private static long lowest(long[] values, int from, int count) {
        long low = Long.MAX_VALUE;
        for (int i = from; i < from + count; i++) {
            low = Math.min(low, values[i]);
        }
        return low;
    }

    private static long highest(long[] values, int from, int count) {
        long high = Long.MIN_VALUE;
        for (int i = from; i < from + count; i++) {
            high = Math.max(high, values[i]);
        }
        return high;
    }

    private void layOutHashed(int slots) {
        freeAll(slots);
        if (keys.length < slots) {
            keys = new long[slots];
        }
        for (int i = 0; i < size; i++) {
            int slot = slotOf(entries[i]);
            keys[slot] = entries[i];
            numbers[slot] = (short) i;
        }
    }

    private void freeAll(int slots) {
        if (numbers.length != slots) {
            numbers = new short[slots];
        }
        Arrays.fill(numbers, FREE);
    }

    /** The slot of an entry, or the free one where it belongs. */
    private int slotOf(long value) {
        if (!hashed) {
            return (int) (value - base);
        }
        int slot = (int) (value * MIX >>> Long.numberOfLeadingZeros(numbers.length) + 1);
        while (numbers[slot] != FREE && keys[slot] != value) {
            slot = (slot + 1) & (numbers.length - 1);
        }
        return slot;
    }

    private void forget() {
        if (hashed || 4 * size > numbers.length) {
            Arrays.fill(numbers, FREE);
        } else {
            for (int i = 0; i < size; i++) {
                numbers[slotOf(entries[i])] = FREE;
            }
        }
        size = 0;
        hashed = false;
        ordered = true;
        all = EMPTY;
    }

    private boolean finish(int count, int limit, int[] codes) {
        int distinct = marks.count(size);
        if (distinct > limit) {
            return false;
        }
        if (!ordered) {
            order();
        }
        result = all;
        if (distinct < size) {
            long[] some = new long[distinct];
            int next = 0;
            for (int i = 0; i < size; i++) {
                if (marks.occurs(i)) {
                    some[next++] = entries[i];
                }
            }
            result = new LongDictionary(some);
            marks.leaveOutOthers(size);
        }
        marks.translate(codes, count);
        return true;
    }

    private void order() {
        long[] sorted = Arrays.copyOf(entries, size);
        Arrays.sort(sorted);
        for (int i = 0; i < size; i++) {
            int slot = slotOf(sorted[i]);
            marks.renumber(numbers[slot], i);
            numbers[slot] = (short) i;
        }
        marks.endRenumbering();
        System.arraycopy(sorted, 0, entries, 0, size);
        all = new LongDictionary(sorted);
        ordered = true;
    }
}
