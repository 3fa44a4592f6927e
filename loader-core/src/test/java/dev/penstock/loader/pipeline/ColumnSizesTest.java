package dev.penstock.loader.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.ColumnType;
import dev.penstock.segment.BlockEncoder;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

/** Estimates against what blocks take, with most rows NULL: neither rows nor bits are theirs. */
class ColumnSizesTest {
    private static final ColumnType BIGINT = new ColumnType.BigIntType();
    private static final int ROWS = 4000;
    private static final int VALIDITY_BYTES = (ROWS + 63) / 64 * 8;

    private final SplittableRandom random = new SplittableRandom(7);
    private final BlockEncoder encoder = new BlockEncoder();

    @Test
    void nullsTakeNothingOfNumbers() {
        LongColumn column = new LongColumn(ROWS);
        for (int row = 0; row < ROWS; row++) {
            if (random.nextInt(20) > 0) {
                column.validity().setNull(row, ROWS);
            } else {
                column.values()[row] = 1_000_000L + random.nextInt(500);
            }
        }
        ColumnSizes sizes = ColumnSizes.ofLongs(column, 0, ROWS, 8, 500);
        assertThat(sizes.packed()).isEqualTo(bytes(column, true));
        assertThat(sizes.plain()).isEqualTo(bytes(column, false));
    }

    private int bytes(LongColumn column, boolean packed) {
        long[] words = column.validity().words();
        ByteBuilder out = new ByteBuilder(0);
        return encoder.longs(column.values(), 0, ROWS, words, 0, BIGINT, packed, out).length()
                - VALIDITY_BYTES;
    }

    @Test
    void nullsTakeNothingOfStrings() {
        BytesColumn column = new BytesColumn(ROWS, 0);
        Validity validity = column.validity();
        for (int row = 0; row < ROWS; row++) {
            byte[] value = new byte[random.nextInt(20) > 0 ? 0 : 20 + random.nextInt(12)];
            column.append(row, value, 0, value.length);
            if (value.length == 0) {
                validity.setNull(row, ROWS);
            }
        }
        ByteBuilder out = new ByteBuilder(0);
        int actual =
                encoder.bytes(
                                        column.offsets(),
                                        column.data(),
                                        0,
                                        ROWS,
                                        validity.words(),
                                        0,
                                        false,
                                        out)
                                .length()
                        - VALIDITY_BYTES;
        ColumnSizes sizes = ColumnSizes.ofBytes(column, 0, ROWS, 500, false);
        // The shortest length is written once, and saves bits of each.
        assertThat(sizes.plain()).isBetween((long) actual, actual + ROWS / 20L);
    }
}
