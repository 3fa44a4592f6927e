package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

final class CopyKernelsTest {
    private static final long SEED = 41L;

    @Test
    void vectorAndScalarGatherTheSameBytes() {
        Random random = new Random(SEED);
        byte[] text = new byte[1000 + CopyKernels.SLACK];
        random.nextBytes(text);
        for (int round = 0; round < 300; round++) {
            int count = random.nextInt(20);
            int[] bounds = new int[2 * count];
            int total = 0;
            for (int i = 0; i < count; i++) {
                int length = random.nextInt(round % 3 == 0 ? 200 : 70);
                bounds[2 * i] = random.nextInt(1000 - length) - 1;
                bounds[2 * i + 1] = bounds[2 * i] + 1 + length;
                total += length;
            }
            byte[] vector = new byte[10 + total + CopyKernels.SLACK];
            byte[] scalar = vector.clone();
            int[] vectorOffsets = new int[count + 3];
            int[] scalarOffsets = new int[count + 3];
            vectorOffsets[2] = scalarOffsets[2] = 10;
            assertThat(CopyKernels.totalLength(bounds, 0, 2, count)).isEqualTo(total);
            assertThat(VectorCopy.gather(text, bounds, 0, 2, count, vector, vectorOffsets, 2))
                    .isEqualTo(
                            ScalarCopy.gather(text, bounds, 0, 2, count, scalar, scalarOffsets, 2));
            assertThat(vectorOffsets).as("seed %d", SEED).isEqualTo(scalarOffsets);
            assertThat(Arrays.copyOf(vector, 10 + total))
                    .isEqualTo(Arrays.copyOf(scalar, 10 + total));
            int at = 10;
            for (int i = 0; i < count; i++) {
                int start = bounds[2 * i] + 1;
                int length = bounds[2 * i + 1] - start;
                assertThat(Arrays.copyOfRange(vector, at, at + length))
                        .isEqualTo(Arrays.copyOfRange(text, start, start + length));
                at += length;
            }
        }
    }
}
