package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.dialect.Dialect;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** What each kind of bad record is called, where it is found, and in which words. */
final class BadInputTest {
    private static final TableSchema TABLE =
            TextRun.table(
                    List.of(
                            new Column("id", new ColumnType.IntegerType(), false),
                            new Column("day", new ColumnType.DateType(), true),
                            new Column("price", new ColumnType.DecimalType(9, 2), true),
                            new Column("name", new ColumnType.VarcharType(5), false)));

    private static final String GOOD = "1,2023-02-28,1.50,abc\n";

    record Case(String record, RejectReason reason, String column, String value, String expected) {}

    static List<Case> cases() {
        return List.of(
                new Case(
                        "x1,2023-02-28,1.50,abc",
                        RejectReason.BAD_VALUE,
                        "id",
                        "x1",
                        "a whole number from -2147483648 to 2147483647"),
                new Case(
                        " 1,2023-02-28,1.50,abc",
                        RejectReason.BAD_VALUE,
                        "id",
                        " 1",
                        "a whole number from -2147483648 to 2147483647; remove the blanks around"
                                + " it"),
                new Case(
                        "2147483648,2023-02-28,1.50,abc",
                        RejectReason.OUT_OF_RANGE,
                        "id",
                        "2147483648",
                        "a whole number from -2147483648 to 2147483647; a BIGINT column holds"
                                + " larger numbers"),
                new Case(
                        ",2023-02-28,1.50,abc",
                        RejectReason.NULL_VALUE,
                        "id",
                        "",
                        "a value; the column is NOT NULL"),
                new Case(
                        "1,2023-02-29,1.50,abc",
                        RejectReason.OUT_OF_RANGE,
                        "day",
                        "2023-02-29",
                        "a date that exists: February 2023 has 28 days"),
                new Case(
                        "1,28.02.2023,1.50,abc",
                        RejectReason.BAD_VALUE,
                        "day",
                        "28.02.2023",
                        "a date as yyyy-mm-dd"),
                new Case(
                        "1,2023-02-28,1.505,abc",
                        RejectReason.BAD_VALUE,
                        "price",
                        "1.505",
                        "a DECIMAL(9,2), at most 7 digits before the point and 2 after it; round"
                                + " it, or declare a larger scale"),
                new Case(
                        "1,2023-02-28,12345678.00,abc",
                        RejectReason.OUT_OF_RANGE,
                        "price",
                        "12345678.00",
                        "a DECIMAL(9,2), at most 7 digits before the point and 2 after it; a larger"
                                + " precision would hold it"),
                new Case(
                        "1,2023-02-28,\"\",abc",
                        RejectReason.BAD_VALUE,
                        "price",
                        "",
                        "a DECIMAL(9,2), at most 7 digits before the point and 2 after it, written"
                                + " with digits, sign and point only; an empty field is NULL only"
                                + " if it is not quoted"),
                new Case(
                        "1,2023-02-28,1.50,abcdef",
                        RejectReason.TOO_LONG,
                        "name",
                        "abcdef",
                        "at most 5 characters, found 6"),
                new Case(
                        "1,2023-02-28,1.50,",
                        RejectReason.NULL_VALUE,
                        "name",
                        "",
                        "a value; the column is NOT NULL"),
                new Case(
                        "1,2023-02-28,1.50",
                        RejectReason.MISSING_FIELDS,
                        "",
                        "",
                        "4 fields, found 3"),
                new Case(
                        "1;2023-02-28;1.50;abc",
                        RejectReason.MISSING_FIELDS,
                        "",
                        "",
                        "4 fields, found 1; is ',' the delimiter?"),
                new Case(
                        "1,2023-02-28,1,50,abc",
                        RejectReason.EXTRA_FIELDS,
                        "",
                        "",
                        "4 fields, found 5; a field that holds ',' must be quoted"),
                new Case(
                        "1,2023-02-28,1.50,abc,",
                        RejectReason.EXTRA_FIELDS,
                        "",
                        "",
                        "4 fields, found 5; the record ends with one more ','"),
                new Case(
                        "1,2023-02-28,1.50,\"a\"bc",
                        RejectReason.TEXT_AFTER_QUOTE,
                        "name",
                        "\"a\"bc",
                        "a delimiter or a line end after the closing quote; a quote within a quoted"
                                + " field is written twice"),
                new Case(
                        "x,2023-02-30,y,abcdef",
                        RejectReason.BAD_VALUE,
                        "id",
                        "x",
                        "a whole number from -2147483648 to 2147483647"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aBadRecordIsRejectedWithPlaceValueAndAdvice(Case bad) {
        for (String lineEnd : List.of("\n", "\r\n")) {
            String text = GOOD + bad.record() + lineEnd + GOOD;
            TextRun run = TextRun.whole(TABLE, Dialect.csv(), text.getBytes(UTF_8));
            assertThat(run.rows).hasSize(2).allMatch("1|2023-02-28|1.50|abc"::equals);
            assertThat(run.rejects).hasSize(1);
            Reject reject = run.rejects.getFirst();
            assertThat(reject.reason()).isEqualTo(bad.reason());
            assertThat(reject.sourceIndex()).isEqualTo(7);
            assertThat(reject.bytePosition()).isEqualTo(1000L + GOOD.length());
            assertThat(reject.line()).isEqualTo(Reject.LINE_UNKNOWN);
            assertThat(reject.columnName()).isEqualTo(bad.column());
            assertThat(reject.value()).isEqualTo(bad.value());
            assertThat(reject.expected()).isEqualTo(bad.expected());
            assertThat(new String(reject.record(), UTF_8)).isEqualTo(bad.record());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {",2023-02-28,1.50,abc", "1,,1.50,abc", "1,2023-02-28,\"\",abc"})
    void emptyTextThatIsNotNullIsSaidToBeNone(String bad) {
        String text = GOOD + bad + "\n" + GOOD;
        TextRun run =
                TextRun.whole(TABLE, Dialect.csv().withNullText("NULL"), text.getBytes(UTF_8));
        assertThat(run.rejects)
                .singleElement()
                .extracting(Reject::expected)
                .asString()
                .endsWith("; empty text is not NULL, because --null is 'NULL'");
    }

    @Test
    void bytesThatAreNotUtf8AreNamed() {
        byte[] text = (GOOD + "1,2023-02-28,1.50,a\u00e9b\n" + GOOD).getBytes(ISO_8859_1);
        TextRun run = TextRun.whole(TABLE, Dialect.csv(), text);
        assertThat(run.rows).hasSize(2);
        Reject reject = run.rejects.getFirst();
        assertThat(reject.reason()).isEqualTo(RejectReason.INVALID_UTF8);
        assertThat(reject.bytePosition()).isEqualTo(1000L + GOOD.length());
        assertThat(reject.columnName()).isEqualTo("name");
        assertThat(reject.expected())
                .isEqualTo(
                        "text in UTF-8; byte 0xE9 at offset 1 of the field is not; convert the"
                                + " file, for example with iconv -t UTF-8");
        assertThat(reject.record()).isEqualTo("1,2023-02-28,1.50,a\u00e9b".getBytes(ISO_8859_1));
    }

    @Test
    void aQuoteThatNeverClosesCostsItsLineOnly() {
        String bad = "1,2023-02-28,1.50,\"abc";
        TextRun run =
                TextRun.whole(TABLE, Dialect.csv(), (GOOD + bad + "\n" + GOOD).getBytes(UTF_8));
        assertThat(run.rows).hasSize(2);
        Reject reject = run.rejects.getFirst();
        assertThat(reject.reason()).isEqualTo(RejectReason.UNCLOSED_QUOTE);
        assertThat(reject.bytePosition()).isEqualTo(1000L + GOOD.length());
        assertThat(reject.columnName()).isEqualTo("name");
        assertThat(reject.value()).isEqualTo("\"abc");
        assertThat(reject.expected())
                .isEqualTo(
                        "a closing quote; without one the field would run to the end of the input"
                                + " or beyond the largest record of 16777216 bytes");
        assertThat(new String(reject.record(), UTF_8)).isEqualTo(bad);
    }

    @Test
    void aQuoteThatClosesTooLateCostsItsLineOnly() {
        String text = "1,2023-02-28,1.50,\"abc\n" + GOOD.repeat(10) + "1,2023-02-28,1.50,\"x\"\n";
        TextRun run = TextRun.whole(TABLE, Dialect.csv(), text.getBytes(UTF_8), 60);
        assertThat(run.rows).hasSize(11);
        assertThat(run.rejects)
                .extracting(Reject::reason)
                .containsExactly(RejectReason.UNCLOSED_QUOTE);
    }

    @Test
    void aRecordBeyondTheBoundIsTooLarge() {
        String bad = "1,2023-02-28,1.50,\"" + "x".repeat(30) + "\",more,and,more,of,it";
        TextRun run =
                TextRun.whole(TABLE, Dialect.csv(), (GOOD + bad + "\n" + GOOD).getBytes(UTF_8), 60);
        assertThat(run.rows).hasSize(2);
        Reject reject = run.rejects.getFirst();
        assertThat(reject.reason()).isEqualTo(RejectReason.TOO_LARGE);
        assertThat(reject.expected())
                .isEqualTo("a record of at most 60 bytes, found " + bad.length());
    }

    @Test
    void aMissingLastDelimiterIsNamedWhereItIsExpected() {
        TextRun run =
                TextRun.whole(
                        TextRun.texts(2), Dialect.tpch(), "a|b|\nc|d\ne|f|g\n".getBytes(UTF_8));
        assertThat(run.rows).containsExactly("a|b");
        assertThat(run.rejects)
                .extracting(Reject::expected)
                .containsExactly(
                        "2 fields, found 2, but the '|' after the last field is missing",
                        "2 fields, found 3");
    }

    @Test
    void longValuesAreShortenedAndRecordsAreNot() {
        String value = "x".repeat(3_000_000);
        TextRun run = TextRun.whole(TABLE, Dialect.csv(), (value + ",,1,a\n").getBytes(UTF_8));
        Reject reject = run.rejects.getFirst();
        assertThat(reject.value()).hasSize(200).endsWith("x…");
        assertThat(reject.record()).hasSize(value.length() + ",,1,a".length());
    }

    @Test
    void aNullNumberInAColumnOfBadOnesIsFine() {
        TextRun run =
                TextRun.whole(
                        TABLE,
                        Dialect.csv(),
                        "1,,,a\n2,never,,b\n3,,zero,c\n4,2024-02-29,1,d\n".getBytes(UTF_8));
        assertThat(run.rows).containsExactly("1|NULL|NULL|a", "4|2024-02-29|1.00|d");
        assertThat(run.rejects).extracting(Reject::columnName).containsExactly("day", "price");
    }
}
