package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteAccess;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;

class DistinctBoundTest {
    private final Random random = new Random(29);
    private final DistinctBound bound = new DistinctBound();

    @Test
    void neverExceedsTheNumberOfDifferentValues() {
        for (int distinct : new int[] {1, 2, 100, 4096}) {
            for (long scale : new long[] {1, 100, 1L << 40, Long.MAX_VALUE / 5000}) {
                long[] values = new long[8192];
                BytesColumn strings = new BytesColumn(values.length, 64);
                TokenColumn tokens = new TokenColumn();
                tokens.ensureRows(values.length);
                tokens.ensureCodes(2L * values.length);
                for (int i = 0; i < values.length; i++) {
                    int number = random.nextInt(distinct);
                    values[i] = number * scale - 3;
                    byte[] text = ("a common beginning " + number).getBytes(StandardCharsets.UTF_8);
                    strings.append(i, text, 0, text.length);
                    ByteAccess.putShort(tokens.codes(), 4 * i, number >> 6);
                    ByteAccess.putShort(tokens.codes(), 4 * i + 2, number & 63);
                    tokens.offsets()[i + 1] = 2 * i + 2;
                }
                int least = distinct == 1 ? 1 : distinct / 3;
                bound.clear();
                bound.add(values, values.length);
                assertThat(bound.least()).isBetween(least, distinct);
                bound.clear();
                bound.add(strings.offsets(), strings.data(), values.length);
                assertThat(bound.least()).isBetween(least, distinct);
                bound.clear();
                bound.add(tokens, values.length);
                assertThat(bound.least()).isBetween(least, distinct);
            }
        }
    }

    @Test
    void tellsThatABlockOfDifferentValuesIsTooMuchForADictionary() {
        for (long step : new long[] {1, 7, 1 << 16, 1L << 48}) {
            long[] values = new long[8192];
            for (int i = 0; i < values.length; i++) {
                values[i] = i * step;
            }
            bound.clear();
            bound.add(values, values.length);
            assertThat(bound.least()).isGreaterThan(Dictionary.MAX_ENTRIES);
        }
    }
}
