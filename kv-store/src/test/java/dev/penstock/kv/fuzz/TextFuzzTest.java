package dev.penstock.kv.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.dialect.Dialect;
import dev.penstock.kv.region.TestTable;
import dev.penstock.step.Deserialize;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Text of any kind becomes rows and rejects, never a failure. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class TextFuzzTest {
    private static final List<Dialect> DIALECTS =
            List.of(
                    Dialect.csv(),
                    new Dialect((byte) '|', -1, -1, -1, Dialect.Newline.LF, false, true, ""),
                    new Dialect(
                            (byte) ',', '"', '\\', '#', Dialect.Newline.ANY, false, false, "N"));

    @Test
    void textBecomesRowsAndRejects() {
        List<byte[]> good = new ArrayList<>();
        for (String text :
                List.of(
                        "1,one,10\n2,\"two\",20\n3,,\n",
                        "1|one|10|\n2|two||\n",
                        "1,\"o\\\"ne\",10\r\n# comment\n2,N,20\r3,x,-7\n",
                        "9223372036854775807,\"a\"\"b\nc\",2147483647\n-1,é€😀,-2147483648\n",
                        "1,one,10\n".repeat(50))) {
            good.add(text.getBytes(StandardCharsets.UTF_8));
        }
        List<Deserialize> parsers = new ArrayList<>();
        for (Dialect dialect : DIALECTS) {
            parsers.add(new Deserialize(TestTable.SCHEMA, dialect, List.of(0, 1, 2), 1, 1 << 16));
        }
        long[] refused = {0};
        Fuzzer.runOnAny(
                "text",
                good,
                (message, bytes) -> {
                    byte[] text = Arrays.copyOf(bytes, bytes.length + Deserialize.PADDING);
                    for (Deserialize parser : parsers) {
                        ColumnBatch rows = TestTable.emptyBatch();
                        long[] rejects = {0};
                        parser.run(text, 0, bytes.length, 0, 0, 0, rows, reject -> rejects[0]++);
                        assertThat(rows.rowCount() + rejects[0]).isLessThanOrEqualTo(bytes.length);
                        TestTable.read(rows);
                        refused[0] += rejects[0];
                    }
                });
        assertThat(refused[0]).isPositive();
    }
}
