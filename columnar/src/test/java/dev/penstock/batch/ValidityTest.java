package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.Random;

final class ValidityTest {
    private static final long SEED = 77L;

    @Test
    void nullsOfManyRowsAreThoseOfEachRow() {
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            Validity validity = new Validity();
            BitSet expected = new BitSet();
            int row = random.nextInt(130);
            for (int part = 0; part < 3; part++) {
                int count = random.nextInt(150);
                if (random.nextInt(4) == 0) {
                    validity.setAllNull(row, count);
                    expected.set(row, row + count);
                } else {
                    long[] nulls = new long[(count + 63) / 64 + 1];
                    for (int i = 0; i < count; i++) {
                        if (random.nextInt(3) == 0) {
                            nulls[i >> 6] |= 1L << i;
                            expected.set(row + i);
                        }
                    }
                    validity.setNulls(row, count, nulls);
                }
                row += count;
            }
            for (int i = 0; i < row; i++) {
                assertThat(validity.isValid(i))
                        .as("seed %d, round %d, row %d", SEED, round, i)
                        .isEqualTo(!expected.get(i));
            }
            assertThat(validity.nullCount(row)).isEqualTo(expected.cardinality());
        }
    }
}
