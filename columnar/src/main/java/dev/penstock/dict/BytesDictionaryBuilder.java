package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.ByteStrings;
import java.util.Arrays;

/**
 * Finds the distinct byte strings of a slice and the code of each row, by an open-addressing table
 * whose entries are numbered by first appearance; the distinct ones are sorted at the end. A string
 * is told apart by its length, first and last eight bytes, and only if longer than 16 by the bytes
 * between. Gives up at the first entry too many.
 *
 * <p>Owned by one thread; the result of {@link #dictionary} belongs to the caller.
 */
public final class BytesDictionaryBuilder {
    private static final int SLOTS = 4 * Dictionary.MAX_ENTRIES;

    /** Entry number + 1 by hash; 0 = free. */
    private final int[] slots = new int[SLOTS];

    private final long[] heads = new long[Dictionary.MAX_ENTRIES];
    private final long[] tails = new long[Dictionary.MAX_ENTRIES];
    private final int[] starts = new int[Dictionary.MAX_ENTRIES];
    private final int[] lengths = new int[Dictionary.MAX_ENTRIES];
    private final int[] usedSlots = new int[Dictionary.MAX_ENTRIES];
    private int size;
    private BytesDictionary result = new BytesDictionary(0, new int[1], new byte[0]);

    /**
     * Codes of the rows [from, from + count).
     *
     * @param words validity bits of the rows (bit {@code row}), or an empty array if none is NULL; a
     *     NULL gets code 0 and no entry
     * @param codes gets {@code count} codes
     * @return false if there are too many distinct values or too many bytes in them
     */
    public boolean run(
            int[] offsets, byte[] data, int from, int count, long[] words, int[] codes) {
        clear();
        long bytes = 0;
        boolean nullable = words.length > 0;
        for (int i = 0; i < count; i++) {
            int row = from + i;
            if (nullable && (words[row >> 6] >>> row & 1) == 0) {
                codes[i] = 0;
                continue;
            }
            int start = offsets[row];
            int length = offsets[row + 1] - start;
            long head = ByteStrings.head(data, start, length);
            long tail = length <= 8 ? 0 : ByteAccess.getLong(data, start + length - 8);
            int slot = slotOf(head, tail, length);
            int entry = slots[slot] - 1;
            while (entry >= 0 && !matches(entry, head, tail, data, start, length)) {
                slot = (slot + 1) & (SLOTS - 1);
                entry = slots[slot] - 1;
            }
            if (entry < 0) {
                bytes += length;
                if (size == Dictionary.MAX_ENTRIES || bytes > Dictionary.MAX_BYTES) {
                    return false;
                }
                entry = insert(slot, head, tail, start, length);
            }
            codes[i] = entry;
        }
        finish(data, (int) bytes, count, nullable, from, words, codes);
        return true;
    }

    /** The dictionary of the last successful run. */
    public BytesDictionary dictionary() {
        return result;
    }

    private static int slotOf(long head, long tail, int length) {
        long mixed = (head ^ Long.rotateLeft(tail, 29)) * 0x9E3779B97F4A7C15L + length;
        return (int) ((mixed * 0xD6E8FEB86659FD93L) >>> (64 - 14));
    }

    private boolean matches(
            int entry, long head, long tail, byte[] data, int start, int length) {
        return heads[entry] == head
                && lengths[entry] == length
                && tails[entry] == tail
                && (length <= 16
                        || Arrays.equals(
                                data,
                                starts[entry] + 8,
                                starts[entry] + length - 8,
                                data,
                                start + 8,
                                start + length - 8));
    }

    private int insert(int slot, long head, long tail, int start, int length) {
        heads[size] = head;
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
    }

    private void finish(
            byte[] data,
            int bytes,
            int count,
            boolean nullable,
            int from,
            long[] words,
            int[] codes) {
        int[] order = sortedEntries(data);
        int[] newOffsets = new int[size + 1];
        byte[] newData = new byte[bytes + BytesDictionary.SLACK];
        int[] codeOf = new int[Math.max(1, size)];
        for (int code = 0; code < size; code++) {
            int entry = order[code];
            codeOf[entry] = code;
            newOffsets[code + 1] = newOffsets[code] + lengths[entry];
            System.arraycopy(data, starts[entry], newData, newOffsets[code], lengths[entry]);
        }
        for (int i = 0; i < count; i++) {
            codes[i] = codeOf[codes[i]];
        }
        if (nullable) {
            for (int i = 0; i < count; i++) {
                int row = from + i;
                codes[i] = (words[row >> 6] >>> row & 1) == 0 ? 0 : codes[i];
            }
        }
        result = new BytesDictionary(size, newOffsets, newData);
    }

    /** Entry numbers in ascending order of their values; small, so compared as they are. */
    private int[] sortedEntries(byte[] data) {
        Integer[] boxed = new Integer[size];
        for (int i = 0; i < size; i++) {
            boxed[i] = i;
        }
        Arrays.sort(
                boxed,
                (left, right) -> {
                    int order =
                            Long.compareUnsigned(
                                    Long.reverseBytes(heads[left]), Long.reverseBytes(heads[right]));
                    return order != 0
                            ? order
                            : ByteAccess.compare(
                                    data,
                                    starts[left],
                                    starts[left] + lengths[left],
                                    data,
                                    starts[right],
                                    starts[right] + lengths[right]);
                });
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = boxed[i];
        }
        return order;
    }
}
