package dev.penstock.parse;

import java.util.Arrays;

/**
 * Marks fields of a window's records, such as those that are quoted in any of them. It means
 * something only if all records have equally many fields, and a record that the window cuts off
 * counts too. When all fields are marked, nothing is looked at any more. Owned by one thread.
 */
final class FieldMarks {
    private final boolean[] marks;
    private int unmarked;

    /** The number of the first field of a record, counted from the window's first field. */
    private int record;

    private int last;

    /**
     * @param fields of a record; if none, nothing is ever marked
     */
    FieldMarks(int fields) {
        marks = new boolean[fields];
    }

    /** A window begins. */
    void clear() {
        Arrays.fill(marks, false);
        unmarked = marks.length;
        record = 0;
    }

    /** Whether there is nothing to mark any more. */
    boolean isFull() {
        return unmarked == 0;
    }

    /**
     * Marks a field.
     *
     * @param number counted from the window's first field; ascending
     */
    void mark(int number) {
        last = number;
        if (unmarked == 0) {
            return;
        }
        while (number - record >= marks.length) {
            record += marks.length;
        }
        unmarked -= marks[number - record] ? 0 : 1;
        marks[number - record] = true;
    }

    /** The field that {@link #mark} was called with last. */
    int last() {
        return last;
    }

    /** Writes what is marked. */
    void copyTo(boolean[] target) {
        System.arraycopy(marks, 0, target, 0, marks.length);
    }
}
