package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Random;

class PrefixSumsTest {
    private final Random random = new Random(29);

    @Test
    void lengthsBecomePlacesAndTheRestStays() {
        for (int count : new int[] {0, 1, 7, 511, 512, 513, 1025, 3000}) {
            for (int before : new int[] {1, 2, 600}) {
                int[] values = random.ints(before + count + 3, 0, 9).toArray();
                int[] expected = values.clone();
                for (int i = 0; i < count; i++) {
                    expected[before + i] += expected[before + i - 1];
                }
                PrefixSums.run(values, before, count);
                assertThat(values).isEqualTo(expected);
            }
        }
    }
}
