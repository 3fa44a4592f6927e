package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.ByteStrings;

import java.util.Arrays;

/**
 * Numbered byte strings and how to find them: by open-addressing tables. A string is told apart by
 * its length and three words that cover up to 24 bytes, read without a branch on the length; only
 * longer ones have the bytes between compared. While all entries have at most seven bytes, one word
 * holds them and their length; while all have one byte, a table of 256 does. Owned by one thread.
 */
final class StringEntries {
    /** Words that describe an entry: the first eight bytes, those after, the last, the length. */
    private static final int PARTS_BITS = 2;

    private static final int FIRST_ROOM = 64;
    private static final int SLOTS_PER_ENTRY = 8;
    private static final int ENTRY_BITS = 12;

    /** Bytes by which entries are sorted at once. */
    private static final int SORT_BYTES = 6;

    /** Longest string that fits into a word together with its length. */
    private static final int MAX_SHORT = 7;

    /** Tables this small are hashed anew until no two entries want the same slot. */
    private static final int MAX_PERFECT = 64;

    private static final int MAX_TRIES = 16;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** By length up to 8: the bits of a little-endian word that a string covers. */
    private static final long[] MASKS = new long[9];

    static {
        for (int length = 1; length <= 8; length++) {
            MASKS[length] = -1L >>> (64 - 8 * length);
        }
    }

    private final EntryMarks marks;
    private int size;
    private int room;
    private int longest;
    private long[] parts = new long[0];

    /** The word of each entry of at most {@link #MAX_SHORT} bytes. */
    private long[] words = new long[0];

    /** Where an entry's bytes start in {@link #store}. */
    private int[] starts = new int[0];

    private byte[] store = new byte[0];
    private int stored;

    /** Entry number by hash, -1 if free: all entries, and the short ones by their words. */
    private short[] slots = new short[0];

    private short[] shortSlots = new short[0];
    private long multiplier = MIX;
    private boolean collisions;

    /** Entry number by the byte of which the string consists, -1 if there is none. */
    private final short[] singles = new short[256];

    StringEntries(EntryMarks marks) {
        this.marks = marks;
        makeRoom(FIRST_ROOM);
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
        stored = 0;
        longest = 0;
        freeAll();
    }

    /**
     * Numbers and marks rows up to the first that has no entry, or whose entry these loops do not
     * find. Returns how many.
     */
    int number(int[] offsets, byte[] data, int from, int to, int[] codes, int codesAt) {
        if (longest <= 1 && areSingleBytes(offsets, from, to)) {
            return numberSingles(data, offsets[from], to - from, codes, codesAt);
        }
        int last = to;
        while (last > from && offsets[last - 1] + 8 > data.length) {
            last--;
        }
        return longest <= MAX_SHORT
                ? numberShort(offsets, data, from, last, codes, codesAt)
                : numberAny(offsets, data, from, last, codes, codesAt);
    }

    private static boolean areSingleBytes(int[] offsets, int from, int to) {
        int start = offsets[from] - from;
        int different = offsets[to] - to - start;
        for (int row = from; row < to; row++) {
            different |= offsets[row] - row - start;
        }
        return different == 0;
    }

    private int numberSingles(byte[] data, int start, int count, int[] codes, int codesAt) {
        short[] table = singles;
        byte[] seen = marks.bytes();
        for (int i = 0; i < count; i++) {
            int number = table[data[start + i] & 0xFF];
            if (number < 0) {
                return i;
            }
            seen[number] = 1;
            codes[codesAt + i] = number;
        }
        return count;
    }

    private int numberShort(
            int[] offsets, byte[] data, int from, int to, int[] codes, int codesAt) {
        short[] table = shortSlots;
        long[] known = words;
        byte[] seen = marks.bytes();
        long factor = multiplier;
        int shift = shift(table);
        for (int row = from; row < to; row++) {
            int start = offsets[row];
            int length = offsets[row + 1] - start;
            if (length > MAX_SHORT) {
                return row - from;
            }
            long word = ByteAccess.getLong(data, start) & MASKS[length] | (long) length << 56;
            int number = table[(int) (word * factor >>> shift)];
            if (number < 0 || known[number] != word) {
                number = findWord(word, shift);
                if (number < 0) {
                    return row - from;
                }
            }
            seen[number] = 1;
            codes[codesAt + row - from] = number;
        }
        return to - from;
    }

    private int findWord(long word, int shift) {
        int slot = (int) (word * multiplier >>> shift);
        while (shortSlots[slot] >= 0 && words[shortSlots[slot]] != word) {
            slot = (slot + 1) & (shortSlots.length - 1);
        }
        return shortSlots[slot];
    }

    private int numberAny(int[] offsets, byte[] data, int from, int to, int[] codes, int codesAt) {
        short[] table = slots;
        long[] known = parts;
        byte[] seen = marks.bytes();
        long factor = multiplier;
        int shift = shift(table);
        for (int row = from; row < to; row++) {
            int start = offsets[row];
            int length = offsets[row + 1] - start;
            int beyond = Math.max(0, length - 8);
            long mask = MASKS[Math.min(length, 8)];
            long head = ByteAccess.getLong(data, start) & mask;
            long middle = ByteAccess.getLong(data, start + Math.min(beyond, 8)) & mask;
            long tail = ByteAccess.getLong(data, start + beyond) & mask;
            int number = table[(int) (mix(head, tail, length) * factor >>> shift)];
            if (number < 0 || length > 24 || differs(known, number, head, middle, tail, length)) {
                number = find(data, start, head, middle, tail, length);
                if (number < 0) {
                    return row - from;
                }
            }
            seen[number] = 1;
            codes[codesAt + row - from] = number;
        }
        return to - from;
    }

    private static boolean differs(
            long[] parts, int number, long head, long middle, long tail, int length) {
        int at = number << PARTS_BITS;
        return ((parts[at] ^ head)
                        | (parts[at + 1] ^ middle)
                        | (parts[at + 2] ^ tail)
                        | (parts[at + 3] ^ length))
                != 0;
    }

    private static long mix(long head, long tail, int length) {
        return head + tail * 0xD1B54A32D192ED03L + length;
    }

    private static int shift(short[] table) {
        return Long.numberOfLeadingZeros(table.length) + 1;
    }

    /** Whether the bytes that the words do not cover are the entry's. */
    private boolean sameInside(int number, byte[] data, int start, int length) {
        return Arrays.equals(
                store,
                starts[number] + 16,
                starts[number] + length - 8,
                data,
                start + 16,
                start + length - 8);
    }

    /** The entry of a row's string, or -1. */
    int find(int[] offsets, byte[] data, int row) {
        int start = offsets[row];
        int length = offsets[row + 1] - start;
        int beyond = Math.max(0, length - 8);
        int used = Math.min(length, 8);
        long head = ByteStrings.head(data, start, used);
        long middle = ByteStrings.head(data, start + Math.min(beyond, 8), used);
        long tail = ByteStrings.head(data, start + beyond, used);
        return find(data, start, head, middle, tail, length);
    }

    private int find(byte[] data, int start, long head, long middle, long tail, int length) {
        int slot = (int) (mix(head, tail, length) * multiplier >>> shift(slots));
        int number = slots[slot];
        while (number >= 0
                && (differs(parts, number, head, middle, tail, length)
                        || length > 24 && !sameInside(number, data, start, length))) {
            slot = (slot + 1) & (slots.length - 1);
            number = slots[slot];
        }
        return number;
    }

    /** Makes an entry of a row's string, which is none yet; false if there is no room. */
    boolean add(int[] offsets, byte[] data, int row, int most) {
        int start = offsets[row];
        int length = offsets[row + 1] - start;
        if (size >= most || length > Dictionary.MAX_BYTES - stored) {
            return false;
        }
        if (size == room) {
            makeRoom(Math.min(Dictionary.MAX_ENTRIES, 4 * room));
        }
        if (store.length < stored + length + BytesDictionary.SLACK) {
            store = Arrays.copyOf(store, 2 * (stored + length) + BytesDictionary.SLACK);
        }
        System.arraycopy(data, start, store, stored, length);
        starts[size] = stored;
        stored += length;
        int beyond = Math.max(0, length - 8);
        int used = Math.min(length, 8);
        int at = size << PARTS_BITS;
        parts[at] = ByteStrings.head(data, start, used);
        parts[at + 1] = ByteStrings.head(data, start + Math.min(beyond, 8), used);
        parts[at + 2] = ByteStrings.head(data, start + beyond, used);
        parts[at + 3] = length;
        words[size] = parts[at] | (long) length << 56;
        longest = Math.max(longest, length);
        marks.bytes()[size] = 0;
        enter(size++);
        return true;
    }

    private void makeRoom(int entries) {
        room = entries;
        parts = Arrays.copyOf(parts, entries << PARTS_BITS);
        words = Arrays.copyOf(words, entries);
        starts = Arrays.copyOf(starts, entries);
        marks.ensure(entries);
        slots = new short[SLOTS_PER_ENTRY * entries];
        shortSlots = new short[SLOTS_PER_ENTRY * entries];
        enterAll();
    }

    private void freeAll() {
        Arrays.fill(slots, (short) -1);
        Arrays.fill(shortSlots, (short) -1);
        Arrays.fill(singles, (short) -1);
        collisions = false;
    }

    /** Makes all entries findable, if they are few each in the first slot that is looked at. */
    private void enterAll() {
        int tries = size <= MAX_PERFECT ? MAX_TRIES : 1;
        do {
            freeAll();
            for (int i = 0; i < size; i++) {
                enter(i);
            }
            tries--;
            if (collisions && tries > 0) {
                multiplier = multiplier * MIX | 1;
            }
        } while (collisions && tries > 0);
    }

    private void enter(int number) {
        int at = number << PARTS_BITS;
        int length = length(number);
        enter(slots, mix(parts[at], parts[at + 2], length), number);
        if (length <= MAX_SHORT) {
            enter(shortSlots, words[number], number);
        }
        if (length == 1) {
            singles[(int) parts[at]] = (short) number;
        }
    }

    private void enter(short[] table, long hash, int number) {
        int slot = (int) (hash * multiplier >>> shift(table));
        while (table[slot] >= 0) {
            slot = (slot + 1) & (table.length - 1);
            collisions = true;
        }
        table[slot] = (short) number;
    }

    private int length(int number) {
        return (int) parts[(number << PARTS_BITS) + 3];
    }

    /** Numbers the entries in ascending order of their bytes. */
    void order() {
        int[] order = sortedNumbers();
        long[] newParts = new long[parts.length];
        long[] newWords = new long[words.length];
        int[] newStarts = new int[starts.length];
        for (int i = 0; i < size; i++) {
            int from = order[i] << PARTS_BITS;
            System.arraycopy(parts, from, newParts, i << PARTS_BITS, 1 << PARTS_BITS);
            newWords[i] = words[order[i]];
            newStarts[i] = starts[order[i]];
            marks.renumber(order[i], i);
        }
        marks.endRenumbering();
        parts = newParts;
        words = newWords;
        starts = newStarts;
        enterAll();
    }

    /** All entries, which are in order, or only those that occur; {@code count} are meant. */
    BytesDictionary dictionary(boolean occurring, int count) {
        int[] offsets = new int[count + 1];
        byte[] data = new byte[stored + BytesDictionary.SLACK];
        int next = 0;
        for (int i = 0; i < size; i++) {
            if (!occurring || marks.occurs(i)) {
                System.arraycopy(store, starts[i], data, offsets[next], length(i));
                offsets[next + 1] = offsets[next] + length(i);
                next++;
            }
        }
        return new BytesDictionary(count, offsets, data);
    }

    /** Entry numbers in ascending order of their values. */
    private int[] sortedNumbers() {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
        sort(order, new long[size], 0, size, 0);
        return order;
    }

    /**
     * Sorts entries {@code order[from .. to)}, which agree in their first {@code depth} bytes: as
     * longs of their next six bytes, how many there are, and the number; entries that agree in all
     * six and have more are then sorted by those.
     */
    private void sort(int[] order, long[] keys, int from, int to, int depth) {
        int next = depth;
        do {
            for (int i = from; i < to; i++) {
                keys[i] = sortKey(order[i], next);
            }
            Arrays.sort(keys, from, to);
            next += SORT_BYTES;
        } while (to - from > 1 && agree(keys[from], keys[to - 1]));
        for (int i = from; i < to; i++) {
            order[i] = (int) keys[i] & (1 << ENTRY_BITS) - 1;
        }
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || !agree(keys[i - 1], keys[i])) {
                if (i - start > 1) {
                    sort(order, keys, start, i, next);
                }
                start = i;
            }
        }
    }

    private static boolean agree(long left, long right) {
        return (left ^ right) >>> ENTRY_BITS == 0;
    }

    private long sortKey(int number, int depth) {
        int left = length(number) - depth;
        long bytes = ByteAccess.getLongBigEndian(store, starts[number] + depth);
        bytes &= ~(-1L >>> 8 * Math.min(left, SORT_BYTES));
        bytes |= (long) Math.min(left, SORT_BYTES + 1) << ENTRY_BITS;
        return (bytes | number) ^ Long.MIN_VALUE;
    }
}
