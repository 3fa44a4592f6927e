package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.ByteStrings;

import java.util.Arrays;

/**
 * Numbered byte strings and how to find them: by an open-addressing table. A string is told apart
 * by words read without a branch on its length: one of its bytes and length while all entries are
 * {@link #MAX_WORD} bytes at most, two up to {@link #MAX_PAIR}, three up to {@link #MAX_TRIPLE},
 * and beyond that its first 16 bytes, its last 8, and the length; only strings of more than 24
 * bytes have the bytes between looked at: many texts begin and end alike. While all entries have
 * one byte, a table of 256 does. Owned by one thread.
 */
final class StringEntries {
    /** Forms: in which words entries are told apart. Each holds longer ones than those before. */
    private static final int WORD = 0;

    private static final int PAIR = 1;
    private static final int TRIPLE = 2;
    private static final int ANY = 3;

    /** Binary logarithm of the places that an entry has in {@link #parts} in the last two forms. */
    private static final int STRIDE = 2;

    /** Rows numbered by one call of a hot loop. */
    private static final int WINDOW = 1 << 13;

    /** Longest string that fits into one, two or three words together with its length. */
    private static final int MAX_WORD = 7;

    private static final int MAX_PAIR = 15;
    private static final int MAX_TRIPLE = 23;

    private static final int FIRST_ROOM = 64;
    private static final int SLOTS_PER_ENTRY = 8;

    /** Tables this small are hashed anew until no two entries want the same slot. */
    private static final int MAX_PERFECT = 64;

    private static final int MAX_TRIES = 16;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** Bytes from a string's start on that the loops may read. */
    private static final int READ = 24;

    /** Lengths that have masks. */
    private static final int LENGTHS = MAX_TRIPLE + 1;

    /**
     * By length: the bits that a string covers of the little-endian word at its byte 0; then the
     * same of those at its bytes 8 and 16.
     */
    private static final long[] MASKS = new long[3 * LENGTHS];

    static {
        for (int i = 0; i < MASKS.length; i++) {
            MASKS[i] = ByteStrings.mask(i % LENGTHS - 8 * (i / LENGTHS));
        }
    }

    private final EntryMarks marks;
    private int size;

    /** As many entries, the first ones, are in ascending order. */
    private int ordered;

    private int room;
    private int longest;
    private int form = WORD;

    /** The words of each entry, one after the other. */
    private long[] parts = new long[0];

    /** Where an entry's bytes start in {@link #store}, and how many there are. */
    private int[] starts = new int[0];

    private int[] lengths = new int[0];

    private byte[] store = new byte[0];
    private int stored;

    // What the three before were the last time they were put in order: memory for the next time.
    private int[] spareStarts = new int[0];
    private int[] spareLengths = new int[0];
    private byte[] spareStore = new byte[0];

    /** Entry number by hash, -1 if free. */
    private short[] slots = new short[0];

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
        ordered = 0;
        stored = 0;
        longest = 0;
        form = WORD;
        freeAll();
    }

    /** Whether entries are in ascending order of their bytes. */
    boolean isOrdered() {
        return ordered == size;
    }

    /**
     * Numbers and marks rows, of which those that have no entry get one.
     *
     * @param most entries there may be
     * @return false if there is no room for one of them
     */
    boolean numberAll(int[] offsets, byte[] data, int from, int count, int[] codes, int most) {
        int row = from;
        while (row < from + count) {
            int to = Math.min(from + count, row + WINDOW);
            row += number(offsets, data, row, to, codes, row - from);
            if (row < to) {
                int number = findOrAdd(offsets, data, row, most);
                if (number < 0) {
                    return false;
                }
                codes[row - from] = number;
                row++;
            }
        }
        return true;
    }

    /** Finds or makes the entry of a row and marks it; -1 if there is no room for it. */
    private int findOrAdd(int[] offsets, byte[] data, int row, int most) {
        int number = find(offsets, data, row);
        if (number < 0) {
            if (!add(offsets, data, row, most)) {
                return -1;
            }
            number = size - 1;
        }
        marks.bytes()[number] = 1;
        return number;
    }

    /**
     * Numbers and marks rows up to the first that has no entry, or whose entry these loops do not
     * find. Returns how many. The loops call nothing that is not inlined: around a call, all that
     * they hold in registers would go to memory.
     */
    private int number(int[] offsets, byte[] data, int from, int to, int[] codes, int codesAt) {
        if (longest <= 1 && ByteStrings.areSingleBytes(offsets, from, to)) {
            return numberSingles(data, offsets[from], to - from, codes, codesAt);
        }
        int last = to;
        while (last > from && offsets[last - 1] + READ > data.length) {
            last--;
        }
        return switch (form) {
            case WORD -> numberWords(offsets, data, from, last, codes, codesAt);
            case PAIR -> numberPairs(offsets, data, from, last, codes, codesAt);
            case TRIPLE -> numberTriples(offsets, data, from, last, codes, codesAt);
            default -> numberAny(offsets, data, from, last, codes, codesAt);
        };
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

    private int numberWords(
            int[] offsets, byte[] data, int from, int to, int[] codes, int codesAt) {
        short[] table = slots;
        long[] known = parts;
        byte[] seen = marks.bytes();
        long factor = multiplier;
        int shift = shift(table);
        int ahead = codesAt - from;
        int start = offsets[from];
        int row = from;
        for (; row < to; row++) {
            int end = offsets[row + 1];
            int length = end - start;
            if (length > MAX_WORD) {
                break;
            }
            long word = ByteAccess.getLong(data, start) & MASKS[length] | (long) length << 56;
            int slot = (int) (word * factor >>> shift);
            int number = table[slot];
            while (number >= 0 && known[number] != word) {
                slot = (slot + 1) & (table.length - 1);
                number = table[slot];
            }
            if (number < 0) {
                break;
            }
            seen[number] = 1;
            codes[row + ahead] = number;
            start = end;
        }
        return row - from;
    }

    private int numberPairs(
            int[] offsets, byte[] data, int from, int to, int[] codes, int codesAt) {
        short[] table = slots;
        long[] known = parts;
        byte[] seen = marks.bytes();
        long factor = multiplier;
        int shift = shift(table);
        int ahead = codesAt - from;
        int start = offsets[from];
        int row = from;
        for (; row < to; row++) {
            int end = offsets[row + 1];
            int length = end - start;
            if (length > MAX_PAIR) {
                break;
            }
            long head = ByteAccess.getLong(data, start) & MASKS[length];
            long second = ByteAccess.getLong(data, start + 8) & MASKS[LENGTHS + length];
            second |= (long) length << 56;
            int slot = (int) (StringWords.mix(head, second) * factor >>> shift);
            int number = table[slot];
            while (number >= 0 && StringWords.differs(known, number << PAIR, head, second)) {
                slot = (slot + 1) & (table.length - 1);
                number = table[slot];
            }
            if (number < 0) {
                break;
            }
            seen[number] = 1;
            codes[row + ahead] = number;
            start = end;
        }
        return row - from;
    }

    private int numberTriples(
            int[] offsets, byte[] data, int from, int to, int[] codes, int codesAt) {
        short[] table = slots;
        long[] known = parts;
        byte[] seen = marks.bytes();
        long factor = multiplier;
        int shift = shift(table);
        int ahead = codesAt - from;
        int start = offsets[from];
        int row = from;
        for (; row < to; row++) {
            int end = offsets[row + 1];
            int length = end - start;
            if (length > MAX_TRIPLE) {
                break;
            }
            long head = ByteAccess.getLong(data, start) & MASKS[length];
            long second = ByteAccess.getLong(data, start + 8) & MASKS[LENGTHS + length];
            long third = ByteAccess.getLong(data, start + 16) & MASKS[2 * LENGTHS + length];
            third |= (long) length << 56;
            int slot = (int) (StringWords.mix(head, second, third) * factor >>> shift);
            int number = table[slot];
            while (number >= 0
                    && StringWords.differs(known, number << STRIDE, head, second, third)) {
                slot = (slot + 1) & (table.length - 1);
                number = table[slot];
            }
            if (number < 0) {
                break;
            }
            seen[number] = 1;
            codes[row + ahead] = number;
            start = end;
        }
        return row - from;
    }

    private int numberAny(int[] offsets, byte[] data, int from, int to, int[] codes, int codesAt) {
        short[] table = slots;
        long[] known = parts;
        byte[] bytes = store;
        int[] places = starts;
        byte[] seen = marks.bytes();
        long factor = multiplier;
        int shift = shift(table);
        int ahead = codesAt - from;
        int start = offsets[from];
        int row = from;
        for (; row < to; row++) {
            int end = offsets[row + 1];
            int length = end - start;
            int beyond = Math.max(0, length - 8);
            long mask = MASKS[Math.min(length, 8)];
            long head = ByteAccess.getLong(data, start) & mask;
            long middle = ByteAccess.getLong(data, start + Math.min(beyond, 8)) & mask;
            long tail = ByteAccess.getLong(data, start + beyond) & mask;
            long inside = StringWords.inside(data, start, beyond);
            int slot =
                    (int)
                            (StringWords.mix(head, tail + length, middle + inside) * factor
                                    >>> shift);
            int number = table[slot];
            while (number >= 0) {
                int at = number << STRIDE;
                long other = known[at] ^ head | known[at + 1] ^ middle | known[at + 2] ^ tail;
                other |= known[at + 3] ^ length;
                for (int i = 16; i < beyond && other == 0; i += 8) {
                    other = ByteAccess.getLong(bytes, places[number] + i);
                    other ^= ByteAccess.getLong(data, start + i);
                }
                if (other == 0) {
                    break;
                }
                slot = (slot + 1) & (table.length - 1);
                number = table[slot];
            }
            if (number < 0) {
                break;
            }
            seen[number] = 1;
            codes[row + ahead] = number;
            start = end;
        }
        return row - from;
    }

    private static int shift(short[] table) {
        return Long.numberOfLeadingZeros(table.length) + 1;
    }

    /** The entry of a row's string, or -1. */
    private int find(int[] offsets, byte[] data, int row) {
        int start = offsets[row];
        int length = offsets[row + 1] - start;
        if (length > longest) {
            return -1;
        }
        long head = part(0, data, start, length);
        long second = form == WORD ? 0 : part(1, data, start, length);
        long tail = form >= TRIPLE ? part(2, data, start, length) : 0;
        return find(data, start, length, head, second, tail);
    }

    /** One of the words that tell a string from others in the present form. */
    private long part(int index, byte[] data, int start, int length) {
        if (form != ANY) {
            int before = Math.min(8 * index, length);
            long word = ByteStrings.head(data, start + before, length - before);
            return index == form ? word | (long) length << 56 : word;
        }
        int beyond = Math.max(0, length - 8);
        return switch (index) {
            case 0 -> ByteStrings.head(data, start, length);
            case 1 -> ByteStrings.head(data, start + Math.min(beyond, 8), length);
            case 2 -> ByteStrings.head(data, start + beyond, length);
            default -> length;
        };
    }

    private int find(byte[] data, int start, int length, long head, long second, long tail) {
        long inside = form == ANY ? StringWords.inside(data, start, length - 8) : 0;
        int slot = slot(head, second, tail, length, inside);
        int number = slots[slot];
        while (number >= 0 && !isEntry(number, data, start, length, head, second, tail)) {
            slot = (slot + 1) & (slots.length - 1);
            number = slots[slot];
        }
        return number;
    }

    private int slot(long head, long second, long tail, int length, long inside) {
        long mixed =
                switch (form) {
                    case WORD -> head;
                    case PAIR -> StringWords.mix(head, second);
                    case TRIPLE -> StringWords.mix(head, second, tail);
                    default -> StringWords.mix(head, tail + length, second + inside);
                };
        return (int) (mixed * multiplier >>> shift(slots));
    }

    private boolean isEntry(
            int number, byte[] data, int start, int length, long head, long second, long tail) {
        int at = number << stride();
        return parts[at] == head
                && (form == WORD || parts[at + 1] == second)
                && (form < TRIPLE || parts[at + 2] == tail)
                && (form != ANY || parts[at + 3] == length)
                && (length <= 24 || sameInside(number, data, start, length));
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

    /** Makes an entry of a row's string, which is none yet; false if there is no room. */
    private boolean add(int[] offsets, byte[] data, int row, int most) {
        int start = offsets[row];
        int length = offsets[row + 1] - start;
        if (size >= most || length > Dictionary.MAX_BYTES - stored) {
            return false;
        }
        if (store.length < stored + length + BytesDictionary.SLACK) {
            store = Arrays.copyOf(store, 2 * (stored + length) + BytesDictionary.SLACK);
        }
        System.arraycopy(data, start, store, stored, length);
        if (size == room) {
            makeRoom(Math.min(Dictionary.MAX_ENTRIES, 2 * room));
        }
        starts[size] = stored;
        lengths[size] = length;
        stored += length;
        marks.bytes()[size] = 0;
        size++;
        longest = Math.max(longest, length);
        int needed = formFor(longest);
        if (needed != form) {
            form = needed;
            parts = new long[room << stride()];
            describe(0);
            enterAll();
        } else {
            describe(size - 1);
            enter(size - 1);
        }
        return true;
    }

    private static int formFor(int longest) {
        if (longest <= MAX_PAIR) {
            return longest <= MAX_WORD ? WORD : PAIR;
        }
        return longest <= MAX_TRIPLE ? TRIPLE : ANY;
    }

    private int stride() {
        return Math.min(form, STRIDE);
    }

    /** Finds the words of the entries from a number on. */
    private void describe(int first) {
        int stride = stride();
        for (int number = first; number < size; number++) {
            for (int i = 0; i < 1 << stride; i++) {
                parts[(number << stride) + i] = part(i, store, starts[number], lengths[number]);
            }
        }
    }

    private void makeRoom(int entries) {
        room = entries;
        parts = Arrays.copyOf(parts, entries << stride());
        starts = Arrays.copyOf(starts, entries);
        lengths = Arrays.copyOf(lengths, entries);
        marks.ensure(entries);
        slots = new short[SLOTS_PER_ENTRY * entries];
        enterAll();
    }

    private void freeAll() {
        Arrays.fill(slots, (short) -1);
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
        int at = number << stride();
        long head = parts[at];
        int length = lengths[number];
        long inside = form == ANY ? StringWords.inside(store, starts[number], length - 8) : 0;
        int slot = slot(head, form == WORD ? 0 : parts[at + 1], tail(at), length, inside);
        while (slots[slot] >= 0) {
            slot = (slot + 1) & (slots.length - 1);
            collisions = true;
        }
        slots[slot] = (short) number;
        if (length == 1) {
            singles[(int) head & 0xFF] = (short) number;
        }
    }

    private long tail(int at) {
        return form >= TRIPLE ? parts[at + 2] : 0;
    }

    /** Numbers the entries in ascending order of their bytes. */
    void order() {
        int[] order = new StringOrder(store, starts, lengths).sorted(size, ordered);
        byte[] newStore = spareStore.length < store.length ? new byte[store.length] : spareStore;
        int[] newStarts = spareStarts.length < room ? new int[room] : spareStarts;
        int[] newLengths = spareLengths.length < room ? new int[room] : spareLengths;
        int at = 0;
        for (int i = 0; i < size; i++) {
            int number = order[i];
            int length = lengths[number];
            System.arraycopy(store, starts[number], newStore, at, length);
            newStarts[i] = at;
            newLengths[i] = length;
            at += length;
            marks.renumber(number, i);
        }
        marks.endRenumbering();
        spareStore = store;
        spareStarts = starts;
        spareLengths = lengths;
        store = newStore;
        starts = newStarts;
        lengths = newLengths;
        ordered = size;
        describe(0);
        enterAll();
    }

    /** All entries, which are in order, or only those that occur; {@code count} are meant. */
    BytesDictionary dictionary(boolean occurring, int count) {
        int[] offsets = new int[count + 1];
        byte[] data = new byte[stored + BytesDictionary.SLACK];
        int next = 0;
        int copied = 0;
        for (int i = 0; i < size; i++) {
            if (!occurring || marks.occurs(i)) {
                offsets[next + 1] = offsets[next] + lengths[i];
                next++;
            } else {
                copied = copy(copied, starts[i], data, offsets[next]);
                copied += lengths[i];
            }
        }
        copy(copied, stored, data, offsets[next]);
        return new BytesDictionary(count, offsets, data);
    }

    /** Copies stored bytes [from, to) so that they end at {@code end}; returns {@code to}. */
    private int copy(int from, int to, byte[] target, int end) {
        System.arraycopy(store, from, target, end - (to - from), to - from);
        return to;
    }
}
