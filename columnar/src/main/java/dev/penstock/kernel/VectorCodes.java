package dev.penstock.kernel;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The vector form of {@link CodeKernels}: most rows take one load and one store. */
final class VectorCodes {
    private static final VectorSpecies<Short> CODES = ShortVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;

    private VectorCodes() {}

    static void gather(
            int[] offsets,
            char[] codes,
            int[] order,
            int from,
            int count,
            int[] ends,
            int[] out,
            int to) {
        int position = ends[to];
        for (int i = 0; i < count; i++) {
            int row = order[from + i];
            int start = offsets[row];
            int length = offsets[row + 1] - start;
            ShortVector.fromCharArray(CODES, codes, start)
                    .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0)
                    .reinterpretAsInts()
                    .intoArray(out, position);
            for (int j = CodeKernels.SLACK; j < length; j++) {
                out[position + j] = codes[start + j];
            }
            position += length;
            ends[to + i + 1] = position;
        }
    }
}
