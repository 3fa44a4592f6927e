package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;

import java.util.Arrays;

/**
 * Which entries of a dictionary that was kept from earlier slices occur in the present one, and the
 * codes that this leaves the rows. Codes of rows are first entry numbers; then entries may be
 * renumbered, those that do not occur are left out, and one pass translates. Owned by one thread.
 */
final class EntryMarks {
    /** By entry number; as many as a power of two. */
    private byte[] marks = new byte[64];

    private byte[] swapped = new byte[64];
    private char[] codeOf = new char[64];
    private boolean identity;

    /** Makes room for {@code size} entries, keeping the marks. */
    void ensure(int size) {
        if (marks.length < size) {
            int room = Math.min(Dictionary.MAX_ENTRIES, Math.max(size, 4 * marks.length));
            marks = Arrays.copyOf(marks, room);
            swapped = new byte[room];
            codeOf = new char[room];
        }
    }

    /** Starts a slice: none of the entries has been seen. */
    void clear(int size) {
        Arrays.fill(marks, 0, size, (byte) 0);
        identity = true;
    }

    /** By entry number: 1 if it occurs. Valid until {@link #ensure} or {@link #endRenumbering}. */
    byte[] bytes() {
        return marks;
    }

    /** How many of the entries occur. */
    int count(int size) {
        long sum = 0;
        int i = 0;
        while (i + 8 <= size) {
            int end = Math.min(size - 7, i + 8 * 255);
            long sums = 0;
            for (; i < end; i += 8) {
                sums += ByteAccess.getLong(marks, i);
            }
            sum += (sums & 0x00FF00FF00FF00FFL) * 0x0001000100010001L >>> 48;
            sum += (sums >>> 8 & 0x00FF00FF00FF00FFL) * 0x0001000100010001L >>> 48;
        }
        for (; i < size; i++) {
            sum += marks[i];
        }
        return (int) sum;
    }

    boolean occurs(int number) {
        return marks[number] != 0;
    }

    /** Entry {@code number} becomes {@code newNumber}; to be said of every entry. */
    void renumber(int number, int newNumber) {
        codeOf[number] = (char) newNumber;
        swapped[newNumber] = marks[number];
    }

    /** All entries have been renumbered. */
    void endRenumbering() {
        byte[] swap = marks;
        marks = swapped;
        swapped = swap;
        identity = false;
    }

    /** The codes of occurring entries become their ranks among the occurring ones. */
    void leaveOutOthers(int size) {
        char[] rank = new char[size];
        int next = 0;
        for (int i = 0; i < size; i++) {
            rank[i] = (char) (marks[i] == 0 ? 0 : next);
            next += marks[i];
        }
        if (identity) {
            System.arraycopy(rank, 0, codeOf, 0, size);
        } else {
            for (int i = 0; i < size; i++) {
                codeOf[i] = rank[codeOf[i]];
            }
        }
        identity = false;
    }

    /** Turns entry numbers into codes. */
    void translate(int[] codes, int count) {
        if (identity) {
            return;
        }
        char[] table = codeOf;
        for (int i = 0; i < count; i++) {
            codes[i] = table[codes[i]];
        }
    }
}
