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
            int[] starts = new int[count];
            int[] lengths = new int[count];
            int total = 0;
            for (int i = 0; i < count; i++) {
                lengths[i] = random.nextInt(round % 3 == 0 ? 200 : 70);
                starts[i] = random.nextInt(1000 - lengths[i]);
                total += lengths[i];
            }
            byte[] vector = new byte[10 + total + CopyKernels.SLACK];
            byte[] scalar = vector.clone();
            int[] vectorOffsets = new int[count + 3];
            int[] scalarOffsets = new int[count + 3];
            vectorOffsets[2] = scalarOffsets[2] = 10;
            VectorCopy.gather(text, starts, lengths, count, vector, vectorOffsets, 2);
            ScalarCopy.gather(text, starts, lengths, count, scalar, scalarOffsets, 2);
            assertThat(vectorOffsets).as("seed %d", SEED).isEqualTo(scalarOffsets);
            assertThat(Arrays.copyOf(vector, 10 + total))
                    .isEqualTo(Arrays.copyOf(scalar, 10 + total));
            int at = 10;
            for (int i = 0; i < count; i++) {
                assertThat(Arrays.copyOfRange(vector, at, at + lengths[i]))
                        .isEqualTo(Arrays.copyOfRange(text, starts[i], starts[i] + lengths[i]));
                at += lengths[i];
            }
        }
    }
}
