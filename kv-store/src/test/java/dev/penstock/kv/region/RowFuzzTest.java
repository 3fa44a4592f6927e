package dev.penstock.kv.region;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.fuzz.Fuzzer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Rows of write-ahead logs. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class RowFuzzTest {
    @Test
    void aRowShorterThanItsBitsIsRefused() {
        RowCodec codec = new RowCodec(TestTable.SCHEMA);
        assertThatThrownBy(
                        () -> codec.decode(new byte[0], new int[] {0}, TestTable.emptyBatch(), 0))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("ends early");
    }

    @Test
    void changesAreReadOrRefused() {
        RowCodec codec = new RowCodec(TestTable.SCHEMA);
        KeyCodec keys = new KeyCodec(TestTable.SCHEMA);
        List<byte[]> good = new ArrayList<>();
        for (int count = 0; count < 6; count++) {
            ColumnBatch batch = TestTable.batch(TestTable.items(33, 33 + 2 * count, count));
            List<WriteOperation.Change> changes = new ArrayList<>();
            for (int row = 0; row < batch.rowCount(); row++) {
                byte[] key = keys.encode(batch, row);
                boolean deleted = row % 3 == 2;
                changes.add(
                        new WriteOperation.Change(key, deleted ? null : codec.encode(batch, row)));
            }
            ByteBuilder out = new ByteBuilder(64);
            new WriteOperation(changes).put(out);
            good.add(out.toByteArray());
        }
        int[] all = {0, 1, 2};
        Fuzzer.run(
                "changes",
                good,
                (message, bytes) -> {
                    WriteOperation read = WriteOperation.get(new ByteParser(bytes, "a test"));
                    for (WriteOperation.Change change : read.changes()) {
                        byte[] row = change.row();
                        if (row != null) {
                            codec.decode(row, all, TestTable.emptyBatch(), 0);
                        }
                    }
                });
    }
}
