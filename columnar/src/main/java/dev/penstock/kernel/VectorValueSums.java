package dev.penstock.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The 512-bit twin of the hashes of strings in {@link ValueSums}: all words of one at a time. */
final class VectorValueSums {
    /** Bytes after the start of a string that must be readable. */
    static final int READ = 64;

    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;
    private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;

    private static final long[] KEYS = new long[8];

    /** Eight words for each length: which of the bytes are the string's. */
    private static final long[] MASKS = new long[8 * (ValueSums.PART + 1)];

    static {
        for (int word = 0; word < ValueSums.PART / 8; word++) {
            KEYS[word] = ValueSums.key(word);
            for (int length = 0; length <= ValueSums.PART; length++) {
                MASKS[8 * length + word] = ValueSums.mask(length - 8 * word);
            }
        }
    }

    private VectorValueSums() {}

    /**
     * Writes the hashes, but for their last step, of strings of at most {@link ValueSums#PART}
     * bytes.
     */
    static void states(int[] offsets, byte[] data, int from, int count, long[] out) {
        LongVector keys = LongVector.fromArray(LONGS, KEYS, 0);
        int start = offsets[from];
        for (int i = 0; i < count; i++) {
            int end = offsets[from + i + 1];
            int length = end - start;
            LongVector words =
                    ByteVector.fromArray(BYTES, data, start)
                            .reinterpretAsLongs()
                            .and(LongVector.fromArray(LONGS, MASKS, 8 * length));
            LongVector high = words.lanewise(VectorOperators.LSHR, 32);
            LongVector spread = words.lanewise(VectorOperators.XOR, high).mul(keys);
            out[i] = ValueSums.start(length) + spread.reduceLanes(VectorOperators.ADD);
            start = end;
        }
    }
}
