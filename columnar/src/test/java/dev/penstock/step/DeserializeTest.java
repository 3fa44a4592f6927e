package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnHashes;
import dev.penstock.batch.ColumnSums;
import dev.penstock.batch.LongColumn;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

final class DeserializeTest {
    private static final long SEED = 31337L;
    private static final int MAX_RECORD = RecordBoundary.DEFAULT_MAX_RECORD_BYTES;
    private static final Dialect ANY = Dialect.csv().withNewline(Dialect.Newline.ANY);

    private static final Dialect BACKSLASH_N = Dialect.csv().withNullText("\\N");

    /** RFC-valid files that have caught parsers out. */
    private static final List<String> NASTY =
            List.of(
                    "",
                    "a,b",
                    "a,b\n",
                    "a,b\r\nc,d\r\n",
                    "a,b\rc,d\r",
                    "a,b\nc,d\r\ne,f\rg,h",
                    "\"\",\"\"\n,\n",
                    "\"a\"\"b\",\"\"\"\"\n\"\"\"\"\"\",x\n",
                    "\"line\nbreak\",\"two\r\nlines\"\r\n\"lone\rreturn\",z\n",
                    "\",\",\"\n\"\n\"\r\",\"\r\n\"\n",
                    "ü,€\n\"𝄞\n\",\"é\"\"è\"\n",
                    "a b, c \n\" a \",\" \"\n",
                    "\"" + "x".repeat(63) + "\",\"" + "y\n".repeat(64) + "\"\n1,2\n",
                    "\"" + "\"\"".repeat(200) + "\",\"\"\n\"\",\"" + "\"\"\n".repeat(100) + "\"",
                    "a,\"b\"\r\n\"c\",d",
                    "a,\n,b\n,\n\"\",\n");

    @Test
    void chunksCutAtEveryByteGiveTheRowsThatFastCsvReads() {
        List<String> files = new ArrayList<>(NASTY);
        Random random = new Random(SEED);
        for (int i = 0; i < 40; i++) {
            files.add(validFile(random, 2, 1 << random.nextInt(11)));
        }
        files.add(validFile(random, 2, 30_000));
        files.add(validFile(random, 2, 60_000));
        TableSchema schema = TextRun.texts(2);
        for (String file : files) {
            byte[] text = file.getBytes(UTF_8);
            List<String> expected = fastCsv(file);
            TextRun whole = TextRun.whole(schema, ANY, text);
            assertThat(whole.rejects).as("seed %d: %s", SEED, file).isEmpty();
            assertThat(withoutNulls(whole.rows)).as("seed %d", SEED).isEqualTo(expected);
            TextRun cut =
                    TextRun.chunks(schema, ANY, text, MAX_RECORD, allCuts(ANY, text, MAX_RECORD));
            assertThat(cut.rows).as("seed %d: %s", SEED, file).isEqualTo(whole.rows);
            assertThat(cut.rejects).isEmpty();
        }
    }

    @Test
    void chunksCutAtEveryByteGiveTheSameRowsAndRejectsForAnyText() {
        Random random = new Random(SEED);
        List<Dialect> dialects =
                List.of(
                        ANY,
                        Dialect.csv(),
                        Dialect.csv().withComment('#').withEscape('\\'),
                        Dialect.csv().withQuote(Dialect.NONE),
                        ANY.withQuote(Dialect.NONE).withTrailingDelimiter(true));
        TableSchema schema = TextRun.texts(2);
        for (int round = 0; round < 400; round++) {
            Dialect dialect = dialects.get(round % dialects.size());
            byte[] text = brokenFile(random, random.nextInt(2000)).getBytes(UTF_8);
            int max = round % 2 == 0 ? MAX_RECORD : 20 + random.nextInt(100);
            TextRun whole = TextRun.whole(schema, dialect, text, max);
            List<Integer> cuts = allCuts(dialect, text, max);
            TextRun cut = TextRun.chunks(schema, dialect, text, max, cuts);
            String where = "seed " + SEED + ", round " + round + ", " + dialect;
            assertThat(cut.rows).as(where).isEqualTo(whole.rows);
            assertThat(cut.rejectTexts()).as(where).isEqualTo(whole.rejectTexts());
        }
    }

    @Test
    void typedColumnsAreFilledOverManyWindows() {
        TableSchema schema =
                TextRun.table(
                        List.of(
                                new Column("id", new ColumnType.BigIntType(), false),
                                new Column("price", new ColumnType.DecimalType(15, 2), true),
                                new Column("day", new ColumnType.DateType(), true),
                                new Column("name", new ColumnType.VarcharType(40), true)));
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            String price = i % 7 == 0 ? "" : i + "." + i % 10;
            String day = java.time.LocalDate.ofEpochDay(i).toString();
            String name = i % 5 == 0 ? "\"\"" : i % 3 == 0 ? "\"a \"\"" + i + "\"\"\"" : "n" + i;
            text.append(i).append(',').append(price).append(',').append(day);
            text.append(',').append(name).append(i % 2 == 0 ? "\r\n" : "\n");
            expected.add(
                    String.join(
                            "|",
                            "" + i,
                            i % 7 == 0 ? "NULL" : price + "0",
                            day,
                            i % 5 == 0 ? "" : i % 3 == 0 ? "a \"" + i + "\"" : "n" + i));
        }
        byte[] bytes = text.toString().getBytes(UTF_8);
        assertThat(TextRun.whole(schema, Dialect.csv(), bytes).rows).isEqualTo(expected);
        List<Integer> cuts = new ArrayList<>();
        RecordBoundary boundary = new RecordBoundary(Dialect.csv(), MAX_RECORD);
        for (int at = 0; at < bytes.length; ) {
            int to = Math.min(bytes.length, at + 10_007);
            at = boundary.last(bytes, at, to, to == bytes.length);
            if (at < bytes.length) {
                cuts.add(at);
            }
        }
        assertThat(TextRun.chunks(schema, Dialect.csv(), bytes, MAX_RECORD, cuts).rows)
                .isEqualTo(expected);
    }

    @Test
    void faultyRowsLeaveTheOthersInPlace() {
        TableSchema schema =
                TextRun.table(
                        List.of(
                                new Column("id", new ColumnType.IntegerType(), false),
                                new Column("name", new ColumnType.VarcharType(9), true),
                                new Column("score", new ColumnType.IntegerType(), true)));
        Random random = new Random(SEED);
        StringBuilder text = new StringBuilder();
        List<String> rows = new ArrayList<>();
        List<String> rejects = new ArrayList<>();
        for (int i = 0; i < 9_000; i++) {
            int kind = random.nextInt(i < 3000 ? 4 : 8);
            String name = random.nextInt(3) == 0 ? "" : "name" + i;
            String shown = name.isEmpty() ? "NULL" : name;
            long position = 1000L + text.length();
            if (kind == 0) {
                text.append("x").append(i).append(',').append(name).append(",1\n");
                rejects.add("BAD_VALUE " + position + " id");
            } else if (kind == 1) {
                text.append(i).append(',').append(name).append("\n");
                rejects.add("MISSING_FIELDS " + position + " ");
            } else if (kind == 2) {
                text.append(i).append(",much too long,").append("\n");
                rejects.add("TOO_LONG " + position + " name");
            } else {
                text.append(i).append(',').append(name).append(",\n");
                rows.add(i + "|" + shown + "|NULL");
            }
        }
        TextRun run = TextRun.whole(schema, Dialect.csv(), text.toString().getBytes(UTF_8));
        assertThat(run.rows).isEqualTo(rows);
        assertThat(run.rejects)
                .extracting(r -> r.reason() + " " + r.bytePosition() + " " + r.columnName())
                .isEqualTo(rejects);
    }

    @Test
    void nullsAreTheNullTextOutsideOfQuotes() {
        TableSchema schema = TextRun.texts(3);
        Dialect backslash = Dialect.csv().withNullText("\\N");
        byte[] text = "\\N,\"\\N\",\n\"\",\\n,\\N\n".getBytes(UTF_8);
        assertThat(TextRun.whole(schema, backslash, text).rows)
                .containsExactly("NULL|\\N|", "|\\n|NULL");
        assertThat(TextRun.whole(schema, Dialect.csv(), ",\"\",x\n".getBytes(UTF_8)).rows)
                .containsExactly("NULL||x");
    }

    @Test
    void anEmptyNumberThatIsNotNullIsABadValue() {
        TableSchema schema =
                TextRun.table(
                        List.of(
                                new Column("id", new ColumnType.IntegerType(), false),
                                new Column("n", new ColumnType.IntegerType(), true)));
        Dialect backslash = Dialect.csv().withNullText("\\N");
        TextRun run = TextRun.whole(schema, backslash, "1,\n2,\\N\n3,\"\"\n".getBytes(UTF_8));
        assertThat(run.rows).containsExactly("2|NULL");
        assertThat(run.rejects).extracting(r -> r.reason()).containsOnly(RejectReason.BAD_VALUE);
        assertThat(run.rejects).hasSize(2);
    }

    @Test
    void fieldsGoToTheColumnsTheyAreMappedTo() {
        TableSchema schema =
                TextRun.table(
                        List.of(
                                new Column("id", new ColumnType.IntegerType(), false),
                                new Column("absent", new ColumnType.VarcharType(9), true),
                                new Column("zero", new ColumnType.BigIntType(), true),
                                new Column("name", new ColumnType.VarcharType(9), true)));
        Deserialize step = new Deserialize(schema, Dialect.csv(), List.of(3, -1, 0), 1);
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 1);
        byte[] text = "a,skipped,1\nb,\"x,y\",2\n".getBytes(UTF_8);
        byte[] padded = Arrays.copyOf(text, text.length + Deserialize.PADDING);
        step.run(padded, 0, text.length, 0, 0, 0, batch, r -> assertThat(r).isNull());
        assertThat(TextRun.of(schema, batch).rows)
                .containsExactly("1|NULL|NULL|a", "2|NULL|NULL|b");
        assertThat(step.recordCount()).isEqualTo(2);
    }

    /** Of a window that has only NULLs in a column nothing is converted; others have some. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\\N"})
    void windowsWithoutAnyValueOfAColumnAreThoseOfTheirRows(String nullText) {
        TableSchema schema =
                TextRun.table(
                        List.of(
                                new Column("id", new ColumnType.IntegerType(), false),
                                new Column("n", new ColumnType.BigIntType(), true),
                                new Column("absent", new ColumnType.DateType(), true),
                                new Column("s", new ColumnType.VarcharType(9), true)));
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int row = 0; row < 20_000; row++) {
            String n = row / 6_000 == 1 ? Integer.toString(row % 77) : nullText;
            String s = row / 9_000 == 1 || row == 3 ? "s" + row % 5 : nullText;
            text.append(row + "," + n + "," + s + "\n");
            expected.add(row + "|" + shown(n, nullText) + "|NULL|" + shown(s, nullText));
        }
        Dialect dialect = Dialect.csv().withNullText(nullText);
        Deserialize step = new Deserialize(schema, dialect, List.of(0, 1, 3), 1);
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 1);
        byte[] bytes = text.toString().getBytes(UTF_8);
        byte[] padded = Arrays.copyOf(bytes, bytes.length + Deserialize.PADDING);
        step.run(padded, 0, bytes.length, 0, 0, 0, batch, r -> assertThat(r).isNull());
        assertThat(TextRun.of(schema, batch).rows).isEqualTo(expected);
        ColumnSums sums = new ColumnSums(4);
        sums.add(batch, new ColumnHashes());
        ColumnSums oneByOne = new ColumnSums(4);
        int[] order = IntStream.range(0, batch.rowCount()).toArray();
        oneByOne.add(batch, order, 0, batch.rowCount());
        assertThat(sums).isEqualTo(oneByOne);
    }

    private static String shown(String value, String nullText) {
        return value.equals(nullText) ? "NULL" : value;
    }

    @Test
    void aColumnThatMustHaveAValueNeedsAField() {
        TableSchema schema =
                TextRun.table(
                        List.of(
                                new Column("id", new ColumnType.IntegerType(), false),
                                new Column("name", new ColumnType.VarcharType(9), false)));
        assertThatThrownBy(() -> new Deserialize(schema, Dialect.csv(), List.of(0), 1))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("column name of table t is NOT NULL");
        assertThatThrownBy(() -> new Deserialize(schema, Dialect.csv(), List.of(0, 0), 1))
                .hasMessageContaining("two fields go to column id");
        assertThatThrownBy(() -> new Deserialize(schema, Dialect.csv(), List.of(0, 5), 1))
                .hasMessageContaining("has no column number 6");
    }

    @Test
    void hiddenRowIdsCountTheRecordsOfAChunk() {
        TableSchema schema =
                TableSchema.declare(
                        "t",
                        List.of(new Column("n", new ColumnType.IntegerType(), true)),
                        List.of());
        Dialect dialect = Dialect.csv().withComment('#');
        byte[] text = "1\n#2\nx\n3\n".getBytes(UTF_8);
        byte[] padded = Arrays.copyOf(text, text.length + Deserialize.PADDING);
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 1);
        Deserialize step = new Deserialize(schema, dialect, List.of(0), 5);
        step.run(padded, 0, text.length, 0, 0, 3, batch, r -> {});
        long[] ids = ((LongColumn) batch.column(1)).values();
        assertThat(batch.rowCount()).isEqualTo(2);
        assertThat(ids[0]).isEqualTo(5L << 44 | 3L << 23);
        assertThat(ids[1]).isEqualTo(5L << 44 | 3L << 23 | 2);
        assertThat(step.recordCount()).isEqualTo(3);
    }

    @Test
    void trailingDelimitersEndEachRecord() {
        TableSchema schema = TextRun.texts(2);
        byte[] text = "a|b|\n|x|\r\nc|d|".getBytes(UTF_8);
        assertThat(TextRun.whole(schema, Dialect.tpch(), text).rows)
                .containsExactly("a|b", "NULL|x", "c|d");
    }

    @Test
    void emptyLinesAreRecordsOnlyOfOneField() {
        Dialect csv = Dialect.csv();
        byte[] text = "a\n\n\r\nb\n\n".getBytes(UTF_8);
        assertThat(TextRun.whole(TextRun.texts(1), csv, text).rows)
                .containsExactly("a", "NULL", "NULL", "b", "NULL");
        text = "\n1,2\n\r\n\n3,4\n\n".getBytes(UTF_8);
        assertThat(TextRun.whole(TextRun.texts(2), csv, text).rows).containsExactly("1|2", "3|4");
    }

    @Test
    void aBatchCanBeFilledByOneRunAfterTheOther() {
        TableSchema schema = TextRun.texts(1);
        Deserialize step = new Deserialize(schema, Dialect.csv(), List.of(0), 1);
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 1);
        byte[] padded = Arrays.copyOf("a\n\nb\n".getBytes(UTF_8), 5 + Deserialize.PADDING);
        step.run(padded, 0, 3, 0, 0, 0, batch, r -> {});
        step.run(padded, 3, 5, 0, 3, 1, batch, r -> {});
        assertThat(TextRun.of(schema, batch).rows).containsExactly("a", "NULL", "b");
        assertThatThrownBy(() -> step.run(padded, 0, 6, 0, 0, 0, batch, r -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aChunkThatComesInPartsGivesTheRowsAndRejectsOfTheWhole() {
        Dialect lines = Dialect.csv().withQuote(Dialect.NONE).withComment('#');
        TableSchema schema =
                TableSchema.declare(
                        "t",
                        List.of(new Column("n", new ColumnType.BigIntType(), true)),
                        List.of());
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            text.append(i % 11 == 0 ? "#c" : i % 7 == 0 ? "bad" : "" + i).append('\n');
        }
        byte[] bytes = Arrays.copyOf(text.toString().getBytes(UTF_8), text.length() + 64);
        Deserialize deserialize = new Deserialize(schema, lines, List.of(0), 3);
        ColumnBatch whole = ColumnBatch.forColumns(schema.columns(), 10);
        List<String> rejects = new ArrayList<>();
        deserialize.run(
                bytes,
                0,
                text.length(),
                0,
                70,
                2,
                whole,
                r -> rejects.add(r.bytePosition() + r.value()));
        long records = deserialize.recordCount();
        ColumnBatch parted = ColumnBatch.forColumns(schema.columns(), 10);
        List<String> partRejects = new ArrayList<>();
        deserialize.run(
                bytes, 0, 0, 0, 70, 2, parted, r -> partRejects.add(r.bytePosition() + r.value()));
        for (int from = 0; from < text.length(); ) {
            int to = text.indexOf("\n", Math.min(from + 777, text.length() - 1)) + 1;
            byte[] part = Arrays.copyOfRange(bytes, from, to + 64);
            int position = 70 + from;
            deserialize.runOn(
                    part,
                    0,
                    to - from,
                    0,
                    position,
                    2,
                    parted,
                    r -> partRejects.add(r.bytePosition() + r.value()));
            from = to;
        }
        assertThat(deserialize.recordCount()).isEqualTo(records);
        assertThat(partRejects).isEqualTo(rejects).isNotEmpty();
        assertThat(parted.rowCount()).isEqualTo(whole.rowCount());
        for (int column = 0; column < 2; column++) {
            assertThat(Arrays.copyOf(parted.longs(column).values(), whole.rowCount()))
                    .isEqualTo(Arrays.copyOf(whole.longs(column).values(), whole.rowCount()));
        }
    }

    @Test
    void keysOfManyColumnsAreAllowed() {
        List<Column> columns = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            columns.add(new Column("c" + i, new ColumnType.IntegerType(), true));
            text.append(i == 0 ? "" : ",").append(i);
        }
        TableSchema schema =
                TableSchema.declare("wide", columns, List.of(new KeyColumn(299, true)));
        TextRun run =
                TextRun.whole(schema, Dialect.csv(), (text + "\n").repeat(50).getBytes(UTF_8));
        assertThat(run.rows).hasSize(50).allMatch(row -> row.endsWith("|298|299"));
    }

    @Test
    void anyBytesBecomeRowsOrRejects() {
        List<ColumnType> types =
                List.of(
                        new ColumnType.BooleanType(),
                        new ColumnType.SmallIntType(),
                        new ColumnType.BigIntType(),
                        new ColumnType.RealType(),
                        new ColumnType.DoubleType(),
                        new ColumnType.DecimalType(15, 2),
                        new ColumnType.DecimalType(30, 4),
                        new ColumnType.DateType(),
                        new ColumnType.TimeType(),
                        new ColumnType.TimestampType(),
                        new ColumnType.CharType(3),
                        new ColumnType.VarbinaryType(4),
                        new ColumnType.UuidType());
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("id", new ColumnType.IntegerType(), false));
        types.forEach(type -> columns.add(new Column("c" + columns.size(), type, true)));
        TableSchema schema = TextRun.table(columns);
        String good =
                "7,true,-3,123456789012,1.5,2e3,12.34,-1.5,2024-02-29,12:00:01,2024-02-29T01:02:03.5,abc,00ff,123e4567-e89b-12d3-a456-426614174000\n";
        Random random = new Random(SEED);
        for (int round = 0; round < 500; round++) {
            byte[] text = good.repeat(1 + random.nextInt(40)).getBytes(UTF_8);
            int rowCount = text.length / good.length();
            for (int i = random.nextInt(8); i > 0; i--) {
                text[random.nextInt(text.length)] =
                        round % 2 == 0
                                ? (byte) random.nextInt(256)
                                : (byte) ",\n\"\r0-:.".charAt(random.nextInt(8));
            }
            Dialect dialect = round % 3 == 0 ? ANY : round % 3 == 1 ? Dialect.csv() : BACKSLASH_N;
            TextRun whole = TextRun.whole(schema, dialect, text);
            assertThat(whole.rows.size() + whole.rejects.size())
                    .as("seed %d, round %d", SEED, round)
                    .isBetween(1, rowCount + 8);
            TextRun cut =
                    TextRun.chunks(
                            schema, dialect, text, MAX_RECORD, allCuts(dialect, text, MAX_RECORD));
            assertThat(cut.rows).as("seed %d, round %d", SEED, round).isEqualTo(whole.rows);
            assertThat(cut.rejectTexts()).isEqualTo(whole.rejectTexts());
        }
    }

    /** Every place where a reader that has seen the bytes before may cut. */
    private static List<Integer> allCuts(Dialect dialect, byte[] text, int max) {
        RecordBoundary boundary = new RecordBoundary(dialect, max);
        List<Integer> cuts = new ArrayList<>();
        int from = 0;
        for (int to = 1; to < text.length; to++) {
            int cut = boundary.last(text, from, to, false);
            if (cut > from) {
                cuts.add(cut);
                from = cut;
            }
        }
        return cuts;
    }

    private static List<String> fastCsv(String text) {
        List<String> rows = new ArrayList<>();
        try (CsvReader<CsvRecord> reader =
                CsvReader.builder().skipEmptyLines(true).ofCsvRecord(text)) {
            for (CsvRecord record : reader) {
                rows.add(String.join("|", record.getFields()));
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return rows;
    }

    /** FastCSV knows no NULL. */
    private static List<String> withoutNulls(List<String> rows) {
        return rows.stream().map(row -> row.replace("NULL", "")).toList();
    }

    private static String validFile(Random random, int fields, int length) {
        String plain = "abc xyz0189_;ü€𝄞\t'";
        String special = ",\"\n\r";
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            for (int field = 0; field < fields; field++) {
                StringBuilder value = new StringBuilder();
                for (int i = random.nextInt(random.nextInt(20) == 0 ? 90 : 12); i >= 0; i--) {
                    String from = random.nextInt(6) == 0 ? special : plain;
                    int at = random.nextInt(from.length());
                    value.appendCodePoint(from.codePointAt(alignedTo(from, at)));
                }
                boolean quote =
                        random.nextInt(4) == 0
                                || value.chars().anyMatch(c -> special.indexOf(c) >= 0);
                text.append(field == 0 ? "" : ",");
                text.append(quote ? "\"" + value.toString().replace("\"", "\"\"") + "\"" : value);
            }
            text.append(random.nextInt(3) == 0 ? "\r\n" : random.nextBoolean() ? "\n" : "\r");
        }
        return text.toString();
    }

    private static int alignedTo(String text, int at) {
        return Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
    }

    private static String brokenFile(Random random, int length) {
        String alphabet = "abc,,\n\n\r\"\"#\\ü€";
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            if (random.nextInt(4) == 0) {
                text.append("a,\"b,\n\"\"c\"\n");
            }
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
