package dev.penstock.cli.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The text is dbgen's, whatever the number of threads. */
final class TpchWriterTest {
    /** MD5 of what dbgen's port in the tool tpchgen-cli 4.0.0 writes at scale 0.01. */
    @ParameterizedTest
    @CsvSource({
        "LINEITEM, 4c6d44350a1f7974f56f5d3d7091c2be",
        "ORDERS, c8d2008fb47f47f9e56543d4cb0f4e6a",
        "PARTSUPP, c6889c3ed0939ca02475f7fb410cbb50",
        "PART, 9cce16188c241c25617ca5ed6191e37e",
        "CUSTOMER, a8aa97edad6d47b183a569759fbd3eec",
        "SUPPLIER, 56e0621c472064c2a998757c70b44043",
        "NATION, 2f588e0b7fa72939b498c2abecd9fbbe",
        "REGION, c235841b00d29ad4f817771fcc851207"
    })
    void every_table_equals_dbgen_byte_for_byte(TpchTable table, String md5) throws Exception {
        assertThat(md5(write(table, 0.01, 1))).isEqualTo(md5);
    }

    @Test
    void more_threads_and_more_parts_write_the_same_text() throws Exception {
        assertThat(TpchTable.LINEITEM.partCount(0.05)).isGreaterThan(4);
        assertThat(write(TpchTable.LINEITEM, 0.05, 3))
                .isEqualTo(write(TpchTable.LINEITEM, 0.05, 1));
    }

    @ParameterizedTest
    @EnumSource
    void every_declaration_fits_its_text(TpchTable table) throws IOException {
        TableSchema schema = Ddl.parseCreateTable(table.ddl());
        assertThat(schema.name()).isEqualTo(table.tableName());
        assertThat(schema.hiddenRowId()).isFalse();
        List<String> lines =
                write(table, 0.001, 1).toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).isNotEmpty();
        for (String line : lines) {
            assertThat(line).endsWith("|");
            assertThat(line.chars().filter(c -> c == '|').count()).isEqualTo(schema.columnCount());
        }
    }

    @Test
    void the_estimated_size_is_close() throws IOException {
        long bytes = write(TpchTable.LINEITEM, 0.01, 1).size();
        assertThat(TpchTable.LINEITEM.estimatedBytes(0.01))
                .isBetween(bytes * 9 / 10, bytes * 11 / 10);
    }

    @Test
    void an_impossible_scale_is_refused() {
        for (double scale : new double[] {0, -1, Double.NaN, 1e9}) {
            assertThatThrownBy(() -> new TpchWriter(TpchTable.PART, scale, 1))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("--scale");
        }
    }

    private static ByteArrayOutputStream write(TpchTable table, double scale, int threads)
            throws IOException {
        Output out = new Output();
        TableWriter.Written written =
                new TpchWriter(table, scale, threads).writeTo(out, out::check);
        assertThat(written.bytes()).isEqualTo(out.size());
        assertThat(written.rows()).isEqualTo(out.toString(StandardCharsets.UTF_8).lines().count());
        return out;
    }

    private static String md5(ByteArrayOutputStream text) throws NoSuchAlgorithmException {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("MD5").digest(text.toByteArray()));
    }

    /** Compares by content, and checks that progress tells the truth. */
    private static final class Output extends ByteArrayOutputStream {
        void check(long bytes) {
            assertThat(bytes).isEqualTo(size());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Output output
                    && java.util.Arrays.equals(toByteArray(), output.toByteArray());
        }

        @Override
        public int hashCode() {
            return size();
        }
    }
}
