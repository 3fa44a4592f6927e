package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.ByteStrings;

import java.util.Arrays;

/**
 * Finds the distinct byte strings of a slice and the code of each row, by an open-addressing table
 * whose entries are numbered by first appearance; the distinct ones are sorted at the end. A string
 * is told apart by its length and three words that cover up to 24 bytes, read without a branch on
 * the length; only longer ones have the bytes between compared. Columns of single bytes, as flags
 * are, are counted in a table of 256. Gives up at the first entry too many.
 *
 * <p>Owned by one thread; the result of {@link #dictionary} belongs to the caller.
 */
public final class BytesDictionaryBuilder {
    private static final int SLOT_BITS = 14;
    private static final int ENTRY_BITS = 12;
    private static final long SIGN = Long.MIN_VALUE;
    private static final int SLOTS = 1 << SLOT_BITS;

    /** Rows numbered by one call of the hot loop. */
    private static final int WINDOW = 1 << 13;

    /** By length up to 8: the bits of a little-endian word that a string covers. */
    private static final long[] MASKS = new long[9];

    static {
        for (int length = 1; length <= 8; length++) {
            MASKS[length] = -1L >>> (64 - 8 * length);
        }
    }

    /** Entry number + 1 by hash; 0 = free. */
    private final int[] slots = new int[SLOTS];

    private final long[] heads = new long[Dictionary.MAX_ENTRIES];
    private final long[] middles = new long[Dictionary.MAX_ENTRIES];
    private final long[] tails = new long[Dictionary.MAX_ENTRIES];
    private final int[] starts = new int[Dictionary.MAX_ENTRIES];
    private final int[] lengths = new int[Dictionary.MAX_ENTRIES];
    private final int[] usedSlots = new int[Dictionary.MAX_ENTRIES];
    private final int[] codeOf = new int[Dictionary.MAX_ENTRIES];
    private int size;
    private long byteCount;
    private int maxSize;
    private BytesDictionary result = new BytesDictionary(0, new int[1], new byte[0]);

    /**
     * Codes of the rows [from, from + count).
     *
     * @param words validity bits of the rows (bit {@code row}), or an empty array if none is NULL;
     *     a NULL gets code 0 and no entry
     * @param limit most distinct values wanted, at most {@link Dictionary#MAX_ENTRIES}
     * @param codes gets {@code count} codes
     * @return false if there are too many distinct values or too many bytes in them
     */
    public boolean run(
            int[] offsets, byte[] data, int from, int count, long[] words, int limit, int[] codes) {
        clear();
        maxSize = limit;
        int last = from + count;
        if (words.length > 0) {
            return runNullable(offsets, data, from, count, words, codes);
        }
        if (isSingleBytes(offsets, from, last)) {
            runSingleBytes(offsets, data, from, count, codes);
            return true;
        }
        int fast = from;
        while (last > fast && offsets[last - 1] + 8 > data.length) {
            last--;
        }
        while (fast < last) {
            int end = Math.min(last, fast + WINDOW);
            if (!number(offsets, data, fast, end, codes, fast - from)) {
                return false;
            }
            fast = end;
        }
        for (int row = last; row < from + count; row++) {
            int entry = slowEntry(offsets, data, row);
            if (entry < 0) {
                return false;
            }
            codes[row - from] = entry;
        }
        finish(data);
        for (int i = 0; i < count; i++) {
            codes[i] = codeOf[codes[i]];
        }
        return true;
    }

    /** Numbers the rows of a window, all of which can be read with 8-byte loads. */
    private boolean number(int[] offsets, byte[] data, int from, int to, int[] codes, int codesAt) {
        int[] table = slots;
        for (int row = from; row < to; row++) {
            int start = offsets[row];
            int length = offsets[row + 1] - start;
            int beyond = Math.max(0, length - 8);
            long mask = MASKS[Math.min(length, 8)];
            long head = ByteAccess.getLong(data, start) & mask;
            long middle = ByteAccess.getLong(data, start + Math.min(beyond, 8)) & mask;
            long tail = ByteAccess.getLong(data, start + beyond) & mask;
            int slot = slotOf(head, middle, tail, length);
            int entry = table[slot] - 1;
            if (entry < 0
                    || heads[entry] != head
                    || middles[entry] != middle
                    || tails[entry] != tail
                    || lengths[entry] != length
                    || length > 24 && !sameInside(entry, data, start, length)) {
                entry = findOrInsert(slot, head, middle, tail, data, start, length);
                if (entry < 0) {
                    return false;
                }
            }
            codes[codesAt + row - from] = entry;
        }
        return true;
    }

    private int slowEntry(int[] offsets, byte[] data, int row) {
        int start = offsets[row];
        int length = offsets[row + 1] - start;
        int beyond = Math.max(0, length - 8);
        int used = Math.min(length, 8);
        long head = ByteStrings.head(data, start, used);
        long middle = ByteStrings.head(data, start + Math.min(beyond, 8), used);
        long tail = ByteStrings.head(data, start + beyond, used);
        int slot = slotOf(head, middle, tail, length);
        return findOrInsert(slot, head, middle, tail, data, start, length);
    }

    private boolean runNullable(
            int[] offsets, byte[] data, int from, int count, long[] words, int[] codes) {
        for (int i = 0; i < count; i++) {
            int row = from + i;
            codes[i] = -1;
            if ((words[row >> 6] >>> row & 1) != 0) {
                codes[i] = slowEntry(offsets, data, row);
                if (codes[i] < 0) {
                    return false;
                }
            }
        }
        finish(data);
        for (int i = 0; i < count; i++) {
            codes[i] = codes[i] < 0 ? 0 : codeOf[codes[i]];
        }
        return true;
    }

    private static boolean isSingleBytes(int[] offsets, int from, int to) {
        if (offsets[to] - offsets[from] != to - from) {
            return false;
        }
        int different = 0;
        int start = offsets[from] - from;
        for (int row = from; row < to; row++) {
            different |= offsets[row] - row - start;
        }
        return different == 0;
    }

    private void runSingleBytes(int[] offsets, byte[] data, int from, int count, int[] codes) {
        int[] table = new int[256];
        int start = offsets[from];
        for (int i = 0; i < count; i++) {
            table[data[start + i] & 0xFF] = 1;
        }
        int distinct = 0;
        byte[] values = new byte[256 + BytesDictionary.SLACK];
        int[] newOffsets = new int[257];
        for (int value = 0; value < 256; value++) {
            if (table[value] != 0) {
                values[distinct] = (byte) value;
                table[value] = distinct++;
                newOffsets[distinct] = distinct;
            }
        }
        for (int i = 0; i < count; i++) {
            codes[i] = table[data[start + i] & 0xFF];
        }
        result =
                new BytesDictionary(
                        distinct,
                        Arrays.copyOf(newOffsets, distinct + 1),
                        Arrays.copyOf(values, distinct + BytesDictionary.SLACK));
    }

    /** The dictionary of the last successful run. */
    public BytesDictionary dictionary() {
        return result;
    }

    private static int slotOf(long head, long middle, long tail, int length) {
        long mixed = head * 0x9E3779B97F4A7C15L + middle * 0xD1B54A32D192ED03L + tail + length;
        return (int) ((mixed ^ mixed >>> 29) * 0xD6E8FEB86659FD93L >>> (64 - SLOT_BITS));
    }

    /** Whether the bytes that head, middle and tail do not cover are the entry's. */
    private boolean sameInside(int entry, byte[] data, int start, int length) {
        return Arrays.equals(
                data,
                starts[entry] + 16,
                starts[entry] + length - 8,
                data,
                start + 16,
                start + length - 8);
    }

    /** The string's entry, which is new if need be; -1 if there are too many. */
    private int findOrInsert(
            int firstSlot, long head, long middle, long tail, byte[] data, int start, int length) {
        int slot = firstSlot;
        for (int entry = slots[slot] - 1; entry >= 0; entry = slots[slot] - 1) {
            if (heads[entry] == head
                    && middles[entry] == middle
                    && tails[entry] == tail
                    && lengths[entry] == length
                    && (length <= 24 || sameInside(entry, data, start, length))) {
                return entry;
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        byteCount += length;
        if (size == maxSize || byteCount > Dictionary.MAX_BYTES) {
            return -1;
        }
        heads[size] = head;
        middles[size] = middle;
        tails[size] = tail;
        starts[size] = start;
        lengths[size] = length;
        usedSlots[size] = slot;
        slots[slot] = ++size;
        return size - 1;
    }

    private void clear() {
        for (int i = 0; i < size; i++) {
            slots[usedSlots[i]] = 0;
        }
        size = 0;
        byteCount = 0;
    }

    /** Makes the dictionary, and the code of each entry. */
    private void finish(byte[] data) {
        int[] order = sortedEntries(data);
        int[] newOffsets = new int[size + 1];
        byte[] newData = new byte[(int) byteCount + BytesDictionary.SLACK];
        for (int code = 0; code < size; code++) {
            int entry = order[code];
            codeOf[entry] = code;
            newOffsets[code + 1] = newOffsets[code] + lengths[entry];
            System.arraycopy(data, starts[entry], newData, newOffsets[code], lengths[entry]);
        }
        result = new BytesDictionary(size, newOffsets, newData);
    }

    /**
     * Entry numbers in ascending order of their values: longs of 52 bits of head and the number are
     * sorted, then values with the same 52 bits by comparing them.
     */
    private int[] sortedEntries(byte[] data) {
        long[] keys = new long[size];
        for (int i = 0; i < size; i++) {
            keys[i] = (Long.reverseBytes(heads[i]) >>> ENTRY_BITS << ENTRY_BITS | i) ^ SIGN;
        }
        Arrays.sort(keys);
        int[] order = new int[size];
        int mask = (1 << ENTRY_BITS) - 1;
        int start = 0;
        for (int i = 0; i < size; i++) {
            order[i] = (int) keys[i] & mask;
            if (i > 0 && keys[i] >>> ENTRY_BITS != keys[i - 1] >>> ENTRY_BITS) {
                sortByValue(order, start, i, data);
                start = i;
            }
        }
        sortByValue(order, start, size, data);
        return order;
    }

    private void sortByValue(int[] order, int from, int to, byte[] data) {
        if (to - from < 2) {
            return;
        }
        Integer[] group = new Integer[to - from];
        for (int i = 0; i < group.length; i++) {
            group[i] = order[from + i];
        }
        Arrays.sort(
                group,
                (left, right) ->
                        ByteAccess.compare(
                                data,
                                starts[left],
                                starts[left] + lengths[left],
                                data,
                                starts[right],
                                starts[right] + lengths[right]));
        for (int i = 0; i < group.length; i++) {
            order[from + i] = group[i];
        }
    }
}
