package dev.penstock.kernel;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vector form of {@link ScanKernels#columns}: eight positions of each of eight rows become
 * eight of each of eight columns. Rows 0 and 4, 1 and 5, and so on are shuffled into each other
 * like two halves of a deck of cards, three times; then the eight vectors are the columns.
 */
final class VectorColumns {
    private static final int COLUMNS = ScanKernels.COLUMNS;

    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
    private static final IntVector LOW =
            IntVector.fromArray(INTS, new int[] {0, 8, 1, 9, 2, 10, 3, 11}, 0);
    private static final IntVector HIGH =
            IntVector.fromArray(INTS, new int[] {4, 12, 5, 13, 6, 14, 7, 15}, 0);

    private VectorColumns() {}

    static void columns(int[] positions, int first, int stride, int count, int[][] out, int at) {
        int last = out.length - 1;
        int[] c0 = out[at & last];
        int[] c1 = out[at + 1 & last];
        int[] c2 = out[at + 2 & last];
        int[] c3 = out[at + 3 & last];
        int[] c4 = out[at + 4 & last];
        int[] c5 = out[at + 5 & last];
        int[] c6 = out[at + 6 & last];
        int[] c7 = out[at + 7 & last];
        int row = first;
        int i = 0;
        for (; i <= count - COLUMNS; i += COLUMNS) {
            IntVector r0 = IntVector.fromArray(INTS, positions, row);
            IntVector r1 = IntVector.fromArray(INTS, positions, row + stride);
            IntVector r2 = IntVector.fromArray(INTS, positions, row + 2 * stride);
            IntVector r3 = IntVector.fromArray(INTS, positions, row + 3 * stride);
            IntVector r4 = IntVector.fromArray(INTS, positions, row + 4 * stride);
            IntVector r5 = IntVector.fromArray(INTS, positions, row + 5 * stride);
            IntVector r6 = IntVector.fromArray(INTS, positions, row + 6 * stride);
            IntVector r7 = IntVector.fromArray(INTS, positions, row + 7 * stride);
            IntVector s0 = LOW.selectFrom(r0, r4);
            IntVector s1 = HIGH.selectFrom(r0, r4);
            IntVector s2 = LOW.selectFrom(r1, r5);
            IntVector s3 = HIGH.selectFrom(r1, r5);
            IntVector s4 = LOW.selectFrom(r2, r6);
            IntVector s5 = HIGH.selectFrom(r2, r6);
            IntVector s6 = LOW.selectFrom(r3, r7);
            IntVector s7 = HIGH.selectFrom(r3, r7);
            r0 = LOW.selectFrom(s0, s4);
            r1 = HIGH.selectFrom(s0, s4);
            r2 = LOW.selectFrom(s1, s5);
            r3 = HIGH.selectFrom(s1, s5);
            r4 = LOW.selectFrom(s2, s6);
            r5 = HIGH.selectFrom(s2, s6);
            r6 = LOW.selectFrom(s3, s7);
            r7 = HIGH.selectFrom(s3, s7);
            LOW.selectFrom(r0, r4).intoArray(c0, i);
            HIGH.selectFrom(r0, r4).intoArray(c1, i);
            LOW.selectFrom(r1, r5).intoArray(c2, i);
            HIGH.selectFrom(r1, r5).intoArray(c3, i);
            LOW.selectFrom(r2, r6).intoArray(c4, i);
            HIGH.selectFrom(r2, r6).intoArray(c5, i);
            LOW.selectFrom(r3, r7).intoArray(c6, i);
            HIGH.selectFrom(r3, r7).intoArray(c7, i);
            row += COLUMNS * stride;
        }
        for (; i < count; i++) {
            c0[i] = positions[row];
            c1[i] = positions[row + 1];
            c2[i] = positions[row + 2];
            c3[i] = positions[row + 3];
            c4[i] = positions[row + 4];
            c5[i] = positions[row + 5];
            c6[i] = positions[row + 6];
            c7[i] = positions[row + 7];
            row += stride;
        }
    }
}
