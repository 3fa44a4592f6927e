package dev.penstock.cli.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The wide table is what its declaration says, and always the same. */
final class WideWriterTest {
    private static final int ROWS = 5000;

    private final TableSchema schema = Ddl.parseCreateTable(WideTable.ddl());

    @Test
    void it_has_155_columns_and_a_key_of_two() {
        assertThat(schema.columnCount()).isEqualTo(155);
        assertThat(schema.key()).hasSize(2);
        assertThat(schema.columns().stream().map(column -> column.name()).distinct()).hasSize(155);
    }

    @ParameterizedTest
    @ValueSource(chars = {',', '|', ';', '\t'})
    void every_row_fits_the_declaration_and_keys_ascend(char delimiter) throws IOException {
        byte[] text = write(ROWS, delimiter, 1, 2);
        int from = new String(text, StandardCharsets.UTF_8).indexOf('\n') + 1;
        ColumnBatch rows = ColumnBatch.forColumns(schema.columns(), ROWS);
        List<Reject> rejects = new ArrayList<>();
        Dialect dialect =
                new Dialect(
                        (byte) delimiter,
                        '"',
                        Dialect.NONE,
                        Dialect.NONE,
                        Dialect.Newline.LF,
                        false,
                        false,
                        "");
        new Deserialize(schema, dialect, IntStream.range(0, 155).boxed().toList(), 0)
                .run(
                        Arrays.copyOf(text, text.length + Deserialize.PADDING),
                        from,
                        text.length,
                        0,
                        0,
                        0,
                        rows,
                        rejects::add);
        assertThat(rejects).isEmpty();
        assertThat(rows.rowCount()).isEqualTo(ROWS);
        for (int row = 1; row < ROWS; row++) {
            long invoice = rows.longs(0).values()[row];
            long before = rows.longs(0).values()[row - 1];
            assertThat(invoice).isGreaterThanOrEqualTo(before);
            if (invoice == before) {
                assertThat(rows.longs(1).values()[row])
                        .isGreaterThan(rows.longs(1).values()[row - 1]);
            }
        }
        for (int i = 0; i < 155; i++) {
            int wanted = WideTable.all().get(i).nullPercent() * ROWS / 100;
            int nulls = rows.column(i).validity().nullCount(ROWS);
            assertThat(nulls).as(schema.column(i).name()).isBetween(wanted * 4 / 5, wanted * 6 / 5);
        }
    }

    @Test
    void threads_make_no_difference_and_more_rows_only_follow() throws IOException {
        byte[] one = write(ROWS, ',', 1, 1);
        assertThat(write(ROWS, ',', 1, 3)).isEqualTo(one);
        assertThat(Arrays.copyOf(write(2 * ROWS, ',', 1, 2), one.length)).isEqualTo(one);
        assertThat(write(ROWS, ',', 2, 1)).isNotEqualTo(one);
    }

    @Test
    void only_fields_with_the_delimiter_are_quoted() throws IOException {
        assertThat(new String(write(1000, ',', 1, 1), StandardCharsets.UTF_8))
                .contains("Trading Co., Inc.\",");
        assertThat(new String(write(1000, '|', 1, 1), StandardCharsets.UTF_8))
                .contains("Trading Co., Inc.|")
                .doesNotContain("\"");
    }

    @Test
    void the_scale_is_about_a_gigabyte() throws IOException {
        double perRow = write(ROWS, ',', 1, 1).length / (double) ROWS;
        assertThat(perRow * WideWriter.ROWS_PER_SCALE).isBetween(0.9e9, 1.3e9);
    }

    @Test
    void what_cannot_be_written_is_refused() {
        assertThatThrownBy(() -> new WideWriter(-1, ',', 1, 1))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("rows");
        assertThatThrownBy(() -> new WideWriter(1, 'a', 1, 1))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("--delimiter");
    }

    private static byte[] write(long rows, char delimiter, long seed, int threads)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TableWriter.Written written =
                new WideWriter(rows, delimiter, seed, threads).writeTo(out, bytes -> {});
        assertThat(written.rows()).isEqualTo(rows);
        assertThat(written.bytes()).isEqualTo(out.size());
        return out.toByteArray();
    }
}
