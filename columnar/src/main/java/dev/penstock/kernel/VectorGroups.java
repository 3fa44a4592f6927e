package dev.penstock.kernel;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The vector twin of {@link GroupKernels}' selection of a group's rows. */
final class VectorGroups {
    private static final VectorSpecies<Integer> INTS =
            VectorKernels.AVAILABLE ? IntVector.SPECIES_512 : IntVector.SPECIES_256;

    private VectorGroups() {}

    /** For whole words of rows; answers how many rows that are. */
    static int select(int[] ids, int rows, int group, long[] out) {
        int words = rows >> 6;
        for (int word = 0; word < words; word++) {
            long chosen = 0;
            for (int part = 0; part < 64; part += INTS.length()) {
                chosen |=
                        IntVector.fromArray(INTS, ids, (word << 6) + part)
                                        .compare(VectorOperators.EQ, group)
                                        .toLong()
                                << part;
            }
            out[word] = chosen;
        }
        return words << 6;
    }
}
