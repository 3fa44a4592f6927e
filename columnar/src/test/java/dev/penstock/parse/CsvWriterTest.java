package dev.penstock.parse;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

final class CsvWriterTest {
    private static final long SEED = 2112L;

    private static final TableSchema TABLE =
            TableSchema.declare(
                    "t",
                    List.of(
                            new Column("id", new ColumnType.BigIntType(), true),
                            new Column("na\"me", new ColumnType.VarcharType(100), true),
                            new Column("bin", new ColumnType.VarbinaryType(100), true)),
                    List.of());

    @Test
    void nullIsEmptyAndTheEmptyStringIsQuoted() {
        ColumnBatch batch = batch(List.of("", "a,b", "say \"x\"", "two\nlines", "plain", "é\r"));
        batch.longs(0).validity().setNull(2, 6);
        batch.bytes(1).validity().setNull(4, 6);
        assertThat(write(batch, 0, 1, 2))
                .isEqualTo(
                        "id,\"na\"\"me\",bin\n"
                                + "0,\"\",\"\"\n"
                                + "1,\"a,b\",612c62\n"
                                + ",\"say \"\"x\"\"\",73617920227822\n"
                                + "3,\"two\nlines\",74776f0a6c696e6573\n"
                                + "4,,706c61696e\n"
                                + "5,\"é\r\",c3a90d\n");
    }

    @Test
    void columnsComeInTheOrderOfTheProjection() {
        ColumnBatch table = batch(List.of("x"));
        ColumnBatch projected = new ColumnBatch(List.of(table.column(1), table.column(0)));
        projected.setRowCount(1);
        assertThat(write(projected, 1, 0)).isEqualTo("\"na\"\"me\",id\nx,0\n");
    }

    /** Longer than the writer's buffer, and all quotes, which take twice the room. */
    @Test
    void longTextsAreWrittenWhole() {
        String quotes = "\"".repeat(300_000);
        String plain = "x".repeat(200_000);
        ColumnBatch table = batch(List.of("a", quotes, plain));
        ColumnBatch twice = new ColumnBatch(List.of(table.column(1), table.column(1)));
        twice.setRowCount(3);
        String text = write(twice, 1, 1);
        String quoted = "\"" + quotes + quotes + "\"";
        assertThat(text.substring(text.indexOf('\n') + 1))
                .isEqualTo("a,a\n" + quoted + "," + quoted + "\n" + plain + "," + plain + "\n");
    }

    @Test
    void whatIsWrittenFastCsvReads() throws IOException {
        Random random = new Random(SEED);
        String alphabet = "ab ,\"\n\rü€";
        List<String> values = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            StringBuilder value = new StringBuilder();
            for (int length = random.nextInt(60); length > 0; length--) {
                value.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            values.add(value.toString());
        }
        String text = write(batch(values), 0, 1, 2);
        List<String> read = new ArrayList<>();
        try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(text)) {
            for (CsvRecord record : reader) {
                read.add(record.getField(1));
            }
        }
        assertThat(read.subList(1, read.size())).as("seed %d", SEED).isEqualTo(values);
    }

    private static ColumnBatch batch(List<String> values) {
        ColumnBatch batch = ColumnBatch.forColumns(TABLE.columns(), values.size());
        for (int i = 0; i < values.size(); i++) {
            byte[] value = values.get(i).getBytes(UTF_8);
            batch.longs(0).values()[i] = i;
            batch.bytes(1).append(i, value, 0, value.length);
            batch.bytes(2).append(i, value, 0, value.length);
        }
        batch.setRowCount(values.size());
        return batch;
    }

    private static String write(ColumnBatch batch, int... columns) {
        ByteBuilder out = new ByteBuilder(16);
        CsvWriter writer = new CsvWriter(TABLE, columns, out);
        writer.header();
        writer.rows(batch);
        return new String(out.toByteArray(), UTF_8);
    }
}
