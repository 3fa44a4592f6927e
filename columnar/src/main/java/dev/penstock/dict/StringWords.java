package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;

/** Hashes and comparisons of the words by which {@link StringEntries} tells strings apart. */
final class StringWords {
    private static final long MIX_SECOND = 0xD1B54A32D192ED03L;
    private static final long MIX_THIRD = 0x8CB92BA72F3D8DD7L;
    private static final long MIX_INSIDE = 0xBF58476D1CE4E5B9L;

    private StringWords() {}

    static boolean differs(long[] parts, int at, long first, long second) {
        return ((parts[at] ^ first) | (parts[at + 1] ^ second)) != 0;
    }

    static boolean differs(long[] parts, int at, long first, long second, long third) {
        return ((parts[at] ^ first) | (parts[at + 1] ^ second) | (parts[at + 2] ^ third)) != 0;
    }

    static long mix(long first, long second) {
        return first + second * MIX_SECOND;
    }

    static long mix(long first, long second, long third) {
        return mix(first, second) + third * MIX_THIRD;
    }

    /** Of the bytes between the first 16 and the last 8, of which {@code beyond} are before. */
    static long inside(byte[] bytes, int start, int beyond) {
        long mixed = 0;
        for (int i = 16; i < beyond; i += 8) {
            mixed = (mixed ^ ByteAccess.getLong(bytes, start + i)) * MIX_INSIDE;
        }
        return mixed;
    }
}
