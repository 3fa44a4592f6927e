package dev.penstock.bench.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.dict.BytesDictionary;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

/** Strings come back from the tokens and codes that the benchmark makes of them. */
final class StringBenchmarkTest {
    private final StringBenchmark benchmark = new StringBenchmark();

    @Test
    void tokens_stand_for_the_comments() {
        benchmark.comments();
        BytesColumn decoded = new BytesColumn(StringBenchmark.ROWS, 1 << 20);
        benchmark.table.decode(benchmark.tokens, StringBenchmark.ROWS, decoded, 0);
        BytesColumn comments = benchmark.rows.bytes(Lineitem.COMMENT);
        for (int row = 0; row < StringBenchmark.ROWS; row++) {
            assertThat(string(decoded, row)).isEqualTo(string(comments, row));
        }
    }

    @Test
    void codes_stand_for_instructions_and_modes() {
        assertThat(benchmark.instructions()).isEqualTo(4);
        checkCodes(benchmark.instructions.dictionary(), Lineitem.INSTRUCTION);
        assertThat(benchmark.modes()).isEqualTo(7);
        checkCodes(benchmark.modes.dictionary(), Lineitem.MODE);
    }

    private void checkCodes(BytesDictionary dictionary, int column) {
        for (int row = 0; row < StringBenchmark.ROWS; row++) {
            String value = text(dictionary.data(), dictionary.offsets(), benchmark.codes[row]);
            assertThat(value).isEqualTo(string(benchmark.rows.bytes(column), row));
        }
    }

    private static String string(BytesColumn column, int row) {
        return text(column.data(), column.offsets(), row);
    }

    private static String text(byte[] data, int[] offsets, int row) {
        int length = offsets[row + 1] - offsets[row];
        return new String(data, offsets[row], length, StandardCharsets.UTF_8);
    }
}
