package dev.penstock.kv.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.Merge;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

final class DeltaFlushTest {
    private static final int ROWS = 1000;

    @Test
    void images_of_wide_rows_end_before_they_have_as_many_rows_as_they_may() {
        assertThat(images(Long.MAX_VALUE)).hasSize(1);
        List<Merge.Run> runs = images(10_000);
        assertThat(runs).hasSizeBetween(3, 10);
        assertThat(runs.stream().mapToLong(run -> run.reader().rowCount()).sum()).isEqualTo(ROWS);
        for (Merge.Run run : runs) {
            assertThat(run.reader().rowCount()).isLessThan(ROWS / 2);
        }
    }

    private static List<Merge.Run> images(long imageBytes) {
        RowCodec codec = new RowCodec(TestTable.SCHEMA);
        Delta delta = new Delta(0, new RowMemory(1 << 30).share());
        List<WriteOperation.Change> changes = new ArrayList<>();
        for (TestTable.Item item : TestTable.items(0, ROWS, 0)) {
            byte[] row = codec.encode(TestTable.batch(List.of(item)), 0);
            changes.add(new WriteOperation.Change(TestTable.key(item.id()), row));
        }
        delta.apply(new WriteOperation(changes));
        DeltaFlush flush =
                new DeltaFlush(
                        TestTable.SCHEMA, FlushSchema.of(TestTable.SCHEMA), codec, imageBytes);
        return flush.images(delta.everything(), new SegmentIdentity(1, 2, 0));
    }
}
