package dev.penstock.kv.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.region.TestTable;

import org.junit.jupiter.api.Test;

import java.util.List;

class BatchCodecTest {
    @Test
    void rowsMoveFromBatchToBatchWithTheirNulls() {
        ColumnBatch out = TestTable.emptyBatch();
        for (int size : new int[] {100, 3, 1000, 1}) {
            BatchCodec.move(TestTable.batch(TestTable.items(5, 5 + size, size)), out);
            assertThat(TestTable.read(out)).isEqualTo(TestTable.items(5, 5 + size, size));
        }
        // Ids that are divisible neither by 5 nor by 7 have no NULL.
        BatchCodec.move(TestTable.batch(TestTable.items(11, 14, 2)), out);
        assertThat(out.column(1).validity().hasNulls()).isFalse();
        assertThat(TestTable.read(out)).isEqualTo(TestTable.items(11, 14, 2));
    }

    @Test
    void rowsOfAnotherShapeAreRefused() {
        ColumnBatch rows = TestTable.batch(TestTable.items(0, 3, 0));
        ColumnBatch longs =
                new ColumnBatch(List.of(new LongColumn(1), new LongColumn(1), new LongColumn(1)));
        ColumnBatch one = new ColumnBatch(List.of(new LongColumn(1)));
        assertThatThrownBy(() -> BatchCodec.move(rows, longs))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("another form");
        assertThatThrownBy(() -> BatchCodec.move(rows, one))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("3 columns");
    }

    @Test
    void anEmptyBatchOfTheSameShapeHasRoomForTheSameRows() {
        ColumnBatch rows = TestTable.batch(TestTable.items(0, 300, 0));
        ColumnBatch empty = BatchCodec.emptyLike(rows);
        assertThat(empty.rowCount()).isZero();
        assertThat(empty.longs(0).values()).hasSizeGreaterThanOrEqualTo(300);
        assertThat(empty.bytes(1).data()).hasSameSizeAs(rows.bytes(1).data());
    }
}
