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

    /**
     * 0 where a row of {@link ValueSums#BY_LENGTH} has no mask: what is found there adds nothing.
     */
    private static final long[] KEYS = new long[ValueSums.ROW];

    static {
        for (int word = 0; word < ValueSums.PART / 8; word++) {
            KEYS[word] = ValueSums.key(word);
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
            int row = ValueSums.row(end - start);
            LongVector words =
                    ByteVector.fromArray(BYTES, data, start)
                            .reinterpretAsLongs()
                            .and(LongVector.fromArray(LONGS, ValueSums.BY_LENGTH, row));
            LongVector high = words.lanewise(VectorOperators.LSHR, 32);
            LongVector spread = words.lanewise(VectorOperators.XOR, high).mul(keys);
            long state = ValueSums.BY_LENGTH[row + ValueSums.START];
            out[i] = state + spread.reduceLanes(VectorOperators.ADD);
            start = end;
        }
    }
}
