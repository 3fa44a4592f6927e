package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class ColumnBatchTest {
    private static final byte[] WORDS = {1, 2, 3, 4, 5, 6};

    private final LongColumn longs = new LongColumn(4);
    private final BytesColumn strings = new BytesColumn(4, 8);
    private final ColumnBatch batch = new ColumnBatch(List.of(longs, strings));

    private void fill(int rows) {
        for (int row = 0; row < rows; row++) {
            longs.ensureRows(row + 1);
            longs.values()[row] = row;
            strings.append(row, WORDS, 0, 1 + row % 3);
        }
        batch.setRowCount(rows);
    }

    @Test
    void room_is_made_once_for_rows_that_are_expected() {
        fill(30);
        batch.expectRows(3_000);
        assertThat(longs.rowCapacity()).isBetween(3_000, 3_200);
        assertThat(strings.rowCapacity()).isBetween(3_000, 3_200);
        assertThat(strings.data()).hasSizeBetween(6_000, 6_400);
        assertThat(longs.values()[29]).isEqualTo(29);
        assertThat(strings.get(29)).containsExactly(1, 2, 3);

        long[] values = longs.values();
        byte[] data = strings.data();
        batch.expectRows(3_050);
        fill(3_000);
        assertThat(longs.values()).isSameAs(values);
        assertThat(strings.data()).isSameAs(data);
    }

    @Test
    void no_room_is_made_for_what_nobody_can_know_or_for_too_much() {
        batch.expectRows(1_000);
        assertThat(longs.rowCapacity()).isEqualTo(4);
        fill(3);
        batch.expectRows(Long.MAX_VALUE);
        assertThat(longs.rowCapacity()).isLessThan(1 << 19);
        assertThat(strings.data().length).isLessThan(1 << 20);
    }

    @Test
    void shared_columns_are_left_as_they_are() {
        batch.share(List.of(0));
        fill(3);
        batch.expectRows(1_000);
        assertThat(longs.rowCapacity()).isEqualTo(4);
        assertThat(strings.rowCapacity()).isGreaterThanOrEqualTo(1_000);
    }
}
