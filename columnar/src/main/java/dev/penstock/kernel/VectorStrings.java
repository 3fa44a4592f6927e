package dev.penstock.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/** The 512-bit twin of {@link ByteStrings}: a short string moves in one load and one store. */
final class VectorStrings {
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;

    private VectorStrings() {}

    /** See {@link ByteStrings#gather}. */
    static void gather(
            int[] offsets,
            byte[] data,
            int[] order,
            int from,
            int count,
            int[] outOffsets,
            byte[] outData,
            int to) {
        int position = outOffsets[to];
        int lastStart = data.length - 64;
        for (int i = 0; i < count; i++) {
            int row = order[from + i];
            int start = offsets[row];
            int length = offsets[row + 1] - start;
            if (length <= 64 && start <= lastStart) {
                ByteVector.fromArray(BYTES, data, start).intoArray(outData, position);
            } else {
                System.arraycopy(data, start, outData, position, length);
            }
            position += length;
            outOffsets[to + i + 1] = position;
        }
    }
}
