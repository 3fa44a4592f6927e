package dev.penstock.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/** The vector forms of {@link CopyKernels}: most ranges take one load and one store. */
final class VectorCopy {
    private static final VectorSpecies<Byte> SHORT = ByteVector.SPECIES_256;
    private static final VectorSpecies<Byte> BYTES =
            KernelSelection.VECTOR_BYTES == 64 ? ByteVector.SPECIES_512 : SHORT;
    private static final int STEP = BYTES.length();

    private VectorCopy() {}

    /**
     * @param longest length of the longest field
     */
    static void gather(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            byte[] data,
            int[] offsets,
            int row,
            int longest) {
        if (longest <= SHORT.length()) {
            gatherShort(text, before, end, count, data, offsets, row);
        } else {
            gatherLong(text, before, end, count, data, offsets, row);
        }
    }

    private static void gatherShort(
            byte[] text, int[] before, int[] end, int count, byte[] data, int[] offsets, int row) {
        int at = offsets[row];
        for (int i = 0; i < count; i++) {
            int start = before[i] + 1;
            ByteVector.fromArray(SHORT, text, start).intoArray(data, at);
            at += end[i] - start;
            offsets[row + i + 1] = at;
        }
    }

    private static void gatherLong(
            byte[] text, int[] before, int[] end, int count, byte[] data, int[] offsets, int row) {
        int at = offsets[row];
        for (int i = 0; i < count; i++) {
            int start = before[i] + 1;
            int length = end[i] - start;
            ByteVector.fromArray(BYTES, text, start).intoArray(data, at);
            if (length > STEP) {
                System.arraycopy(text, start + STEP, data, at + STEP, length - STEP);
            }
            at += length;
            offsets[row + i + 1] = at;
        }
    }
}
