package dev.penstock.parse;

import java.util.Arrays;

/**
 * Numbers of fields of a window, ascending: counted from its first field on, over the ends of
 * records. Owned by one thread; keeps its memory.
 */
final class FieldNumbers {
    private int[] numbers = new int[128];
    private int count;

    void clear() {
        count = 0;
    }

    void add(int number) {
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * count);
        }
        numbers[count++] = number;
    }

    /** Adds the last number of another list. */
    void addLast(FieldNumbers other) {
        add(other.numbers[other.count - 1]);
    }

    /**
     * Marks which fields of a record have numbers, where all records have equally many; stops when
     * all fields are marked.
     */
    void mark(int fields, boolean[] marks) {
        int unmarked = fields;
        int record = 0;
        for (int i = 0; i < count && unmarked > 0; i++) {
            while (numbers[i] - record >= fields) {
                record += fields;
            }
            int field = numbers[i] - record;
            unmarked -= marks[field] ? 0 : 1;
            marks[field] = true;
        }
    }
}
