package dev.penstock.kv.region;

import dev.penstock.kernel.ValueSums;

import java.util.Arrays;

/**
 * The keys that a load leaves out because they are stored. Until the load is part of the region or
 * given up they must stay stored: else neither its row nor the stored one would be there.
 */
public sealed interface LeftOutKeys {
    /** No key is left out. */
    None NONE = new None();

    /** Not known yet: the keys of the load's segments, which are being compared. */
    Undecided UNDECIDED = new Undecided();

    /** Not known any more: any key. */
    Any ANY = new Any();

    /** {@link #NONE}. */
    record None() implements LeftOutKeys {}

    /** {@link #UNDECIDED}. */
    record Undecided() implements LeftOutKeys {}

    /** {@link #ANY}. */
    record Any() implements LeftOutKeys {}

    /** The keys that were found. Collected by one thread, then unchanged. */
    final class Found implements LeftOutKeys {
        /** More are {@link #ANY}: there may be hundreds of regions, 16 KiB for a load in each. */
        static final int MAX_KEYS = 1 << 11;

        private long[] hashes = new long[16];
        private int count;
        private boolean sorted = true;

        public void add(byte[] key) {
            if (count > MAX_KEYS) {
                return;
            }
            if (count == hashes.length) {
                hashes = Arrays.copyOf(hashes, 2 * count);
            }
            hashes[count++] = ValueSums.hash(key, 0, key.length);
            sorted = false;
        }

        /** What was collected; nothing is added any more. */
        public LeftOutKeys all() {
            if (count == 0) {
                return NONE;
            }
            if (count > MAX_KEYS) {
                return ANY;
            }
            if (!sorted) {
                hashes = Arrays.copyOf(hashes, count);
                Arrays.sort(hashes);
                sorted = true;
            }
            return this;
        }

        /** By a hash of 64 bits: a key that was not added may be held, one that was is. */
        boolean holds(byte[] key) {
            return Arrays.binarySearch(hashes, ValueSums.hash(key, 0, key.length)) >= 0;
        }
    }
}
