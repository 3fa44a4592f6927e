package dev.penstock.aggregate;

import java.util.Arrays;

/** Numbers distinct longs in the order in which they come. Open addressing, at most half full. */
final class LongIds {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[64];
    private int size;

    /** Ids by hash, plus 1; 0 is free. */
    private int[] slots = new int[128];

    private int shift = 64 - 7;

    int size() {
        return size;
    }

    long key(int id) {
        return keys[id];
    }

    /** The number of the key, a new one if it is new. */
    int idOf(long key) {
        int mask = slots.length - 1;
        int slot = (int) (key * GOLDEN >>> shift);
        while (slots[slot] != 0) {
            int id = slots[slot] - 1;
            if (keys[id] == key) {
                return id;
            }
            slot = (slot + 1) & mask;
        }
        slots[slot] = size + 1;
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        keys[size++] = key;
        if (2 * size > slots.length) {
            grow();
        }
        return size - 1;
    }

    private void grow() {
        slots = new int[2 * slots.length];
        shift--;
        int mask = slots.length - 1;
        for (int id = 0; id < size; id++) {
            int slot = (int) (keys[id] * GOLDEN >>> shift);
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = id + 1;
        }
    }
}
