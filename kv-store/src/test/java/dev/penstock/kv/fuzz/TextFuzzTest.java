package dev.penstock.kv.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.KernelSelection;
import dev.penstock.kv.region.TestTable;
import dev.penstock.reject.Reject;
import dev.penstock.step.Deserialize;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Text of any kind becomes rows and rejects, the same by vector and by scalar kernels. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class TextFuzzTest {
    private static final List<Dialect> DIALECTS =
            List.of(
                    Dialect.csv(),
                    new Dialect((byte) '|', -1, -1, -1, Dialect.Newline.LF, false, true, ""),
                    new Dialect((byte) ',', '"', '\\', '#', Dialect.Newline.ANY, false, false, "N"),
                    new Dialect((byte) ';', '\'', '\'', -1, Dialect.Newline.LF, false, false, ""),
                    new Dialect(
                            (byte) '\t', -1, '\\', -1, Dialect.Newline.ANY, false, true, "\\N"));

    @Test
    void textBecomesRowsAndRejects() {
        List<byte[]> good = new ArrayList<>();
        for (String text :
                List.of(
                        "1,one,10\n2,\"two\",20\n3,,\n",
                        "1|one|10|\n2|two||\n",
                        "1,\"o\\\"ne\",10\r\n# comment\n2,N,20\r3,x,-7\n",
                        "9223372036854775807,\"a\"\"b\nc\",2147483647\n-1,é€😀,-2147483648\n",
                        "1;'o;n''e';10\n2;two;20\n",
                        "1\to\\\tne\t10\t\n2\t\\N\t20\t\n",
                        "1,one,10\n".repeat(50),
                        "1,\"one, and \"\"more\"\"\",10\r\n".repeat(20))) {
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
                        Outcome first = run(parser, text, bytes.length);
                        int count = first.rows().size() + first.rejects().size();
                        assertThat(count).isLessThanOrEqualTo(bytes.length);
                        refused[0] += first.rejects().size();
                        KernelSelection.beginBrief();
                        try {
                            if (!run(parser, text, bytes.length).equals(first)) {
                                throw new AssertionError("scalar kernels find something else");
                            }
                        } finally {
                            KernelSelection.endBrief();
                        }
                    }
                });
        assertThat(refused[0]).isPositive();
    }

    private record Outcome(List<TestTable.Item> rows, List<List<Object>> rejects) {}

    private static Outcome run(Deserialize parser, byte[] text, int length) {
        ColumnBatch rows = TestTable.emptyBatch();
        List<List<Object>> rejects = new ArrayList<>();
        parser.run(text, 0, length, 0, 0, 0, rows, reject -> rejects.add(fields(reject)));
        return new Outcome(TestTable.read(rows), rejects);
    }

    private static List<Object> fields(Reject reject) {
        return List.of(
                reject.reason(),
                reject.bytePosition(),
                reject.columnName(),
                reject.value(),
                reject.expected(),
                ByteBuffer.wrap(reject.record()));
    }
}
