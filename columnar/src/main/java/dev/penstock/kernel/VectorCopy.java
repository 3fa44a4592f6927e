package dev.penstock.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/** The vector forms of {@link CopyKernels}: most ranges take one load and one store. */
final class VectorCopy {
    private static final VectorSpecies<Byte> BYTES =
            KernelSelection.VECTOR_BYTES == 64 ? ByteVector.SPECIES_512 : ByteVector.SPECIES_256;
    private static final int STEP = BYTES.length();

    private VectorCopy() {}

    static int gather(
            byte[] text,
            int[] bounds,
            int first,
            int stride,
            int count,
            byte[] data,
            int[] offsets,
            int row) {
        int at = offsets[row];
        int longest = 0;
        int empty = 0;
        int k = first;
        for (int i = 0; i < count; i++) {
            int start = bounds[k] + 1;
            int length = bounds[k + 1] - start;
            k += stride;
            longest = Math.max(longest, length);
            empty |= length - 1;
            ByteVector.fromArray(BYTES, text, start).intoArray(data, at);
            if (length > STEP) {
                System.arraycopy(text, start + STEP, data, at + STEP, length - STEP);
            }
            at += length;
            offsets[row + i + 1] = at;
        }
        return empty < 0 ? ~longest : longest;
    }
}
