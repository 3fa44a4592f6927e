package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class SegmentChecksumTest {
    private final TableSchema schema = Rows.wideSchema();
    private final Random random = new Random(81);

    @Test
    void theOrderAndTheGroupingOfRowsDoNotMatter() {
        List<@Nullable Object[]> rows = Rows.random(schema, random, 500, 1000, 10);
        SegmentChecksum whole = checksum(rows);
        Collections.shuffle(rows, random);
        SegmentChecksum parts = checksum(rows.subList(0, 123));
        parts.add(checksum(rows.subList(123, 500)));
        assertThat(parts.columns()).isEqualTo(whole.columns());
        assertThat(parts.rowCount()).isEqualTo(500);
    }

    @Test
    void oneChangedValueChangesItsColumnOnly() {
        List<@Nullable Object[]> rows = Rows.random(schema, random, 200, 1000, 10);
        long[] before = checksum(rows).columns();
        for (int column = 0; column < schema.columnCount(); column++) {
            List<@Nullable Object[]> changed = new ArrayList<>(rows);
            @Nullable Object[] row = rows.get(column).clone();
            row[column] = changed(row[column], column);
            changed.set(column, row);
            long[] after = checksum(changed).columns();
            for (int other = 0; other < after.length; other++) {
                if (other == column) {
                    assertThat(after[other]).isNotEqualTo(before[other]);
                } else {
                    assertThat(after[other]).isEqualTo(before[other]);
                }
            }
        }
    }

    @Test
    void nullIsNeitherZeroNorEmpty() {
        TableSchema strings = Rows.stringKeySchema();
        List<@Nullable Object[]> withNull = new ArrayList<>();
        withNull.add(new Object[] {null, new byte[0], 1L});
        List<@Nullable Object[]> withZero = new ArrayList<>();
        withZero.add(new Object[] {0L, new byte[0], 1L});
        SegmentChecksum left = new SegmentChecksum(strings);
        left.add(Rows.batch(strings, withNull));
        SegmentChecksum right = new SegmentChecksum(strings);
        right.add(Rows.batch(strings, withZero));
        assertThat(left.columns()[0]).isNotEqualTo(right.columns()[0]);
        assertThat(left.columns()[1]).isEqualTo(right.columns()[1]);
    }

    private @Nullable Object changed(@Nullable Object value, int column) {
        if (value == null) {
            return schema.column(column).type().kind() == dev.penstock.schema.PhysicalKind.LONG
                    ? (Object) 5L
                    : new byte[] {5};
        }
        if (value instanceof Long number) {
            return number + 1;
        }
        byte[] bytes = (byte[]) value;
        byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
        return longer;
    }

    private SegmentChecksum checksum(List<@Nullable Object[]> rows) {
        SegmentChecksum checksum = new SegmentChecksum(schema);
        checksum.add(Rows.batch(schema, rows));
        return checksum;
    }
}
