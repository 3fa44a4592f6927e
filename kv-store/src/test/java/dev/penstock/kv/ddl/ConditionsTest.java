package dev.penstock.kv.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.predicate.Predicate.Operator;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.TableSchema;
import dev.penstock.schema.WideOrder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Collectors;

class ConditionsTest {
    private static final TableSchema SCHEMA =
            Ddl.parseCreateTable(
                    "CREATE TABLE t (id BIGINT PRIMARY KEY, small SMALLINT, price DECIMAL(15,2),"
                            + " wide DECIMAL(38,4), day DATE, at TIMESTAMP, tod TIME, ratio DOUBLE,"
                            + " single REAL, name VARCHAR(10), code CHAR(3), raw VARBINARY,"
                            + " flag BOOLEAN, uid UUID)");

    /** Conditions and what they mean, written with raw literals. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "id = 7 | id = 7",
                "7 < id | id > 7",
                "id <> -7 | id <> -7",
                "id != +7 | id <> 7",
                "(id) >= (7) | id >= 7",
                "id > 7.5 | id > 7",
                "id >= 7.5 | id > 7",
                "id < 7.5 | id <= 7",
                "id < -7.5 | id <= -8",
                "id = 7.5 | never",
                "id <> 7.5 | id not null",
                "id = '12' | id = 12",
                "id < 99999999999999999999 | id not null",
                "id > 99999999999999999999 | never",
                "id > -1e30 | id not null",
                "id = 1e500 | never",
                "id > 1e-500 | id > 0",
                "small < 100000 | small < 100000",
                "price > 0.055 | price > 5",
                "price >= 0.055 | price > 5",
                "price < 0.055 | price <= 5",
                "price <= 0.05 | price <= 5",
                "price = 0.05 | price = 5",
                "price = 0.055 | never",
                "price = 3 | price = 300",
                "price BETWEEN 0.05 AND 0.07 | (price >= 5 and price <= 7)",
                "price NOT BETWEEN 0.05 AND 0.07 | (price < 5 or price > 7)",
                "NOT price BETWEEN 0.05 AND 0.07 | (price < 5 or price > 7)",
                "id IN (1, 2.0, 2.5, NULL) | id in [1, 2]",
                "id NOT IN (1, 2) | id not in [1, 2]",
                "id NOT IN (1, NULL) | never",
                "id NOT IN (2.5) | id not null",
                "id IN (2.5) | never",
                "id IS NULL | id null",
                "id IS NOT NULL | id not null",
                "NOT id IS NULL | id not null",
                "id ISNULL | id null",
                "id NOTNULL | id not null",
                "NOT id NOTNULL | id null",
                "id = NULL | never",
                "NOT (id = NULL) | never",
                "NOT id > 7 | id <= 7",
                "id > 1 AND id < 9 AND small = 3 | (id > 1 and id < 9 and small = 3)",
                "id > 1 OR small = 3 AND id = 2 | (id > 1 or (small = 3 and id = 2))",
                "NOT (id > 1 OR small = 3) | (id <= 1 and small <> 3)",
                "NOT (id > 1 AND NOT small = 3) | (id <= 1 or small = 3)",
                "flag | flag = 1",
                "NOT flag | flag = 0",
                "flag = TRUE | flag = 1",
                "flag IS TRUE | flag = 1",
                "flag IS NOT TRUE | (flag = 0 or flag null)",
                "flag IS FALSE | flag = 0",
                "TRUE | ()",
                "FALSE | never",
                "t.id = 7 | id = 7",
                "\"id\" = 7 | id = 7",
                "ID = 7 | id = 7",
                "id = 7; | id = 7"
            })
    void conditionsMeanWhatTheySay(String condition, String meaning) {
        assertThat(describe(Conditions.parse(condition, SCHEMA))).isEqualTo(meaning);
    }

    @Test
    void datesAndTimesTakeTheColumnsForm() {
        long day = LocalDate.of(1998, 9, 2).toEpochDay();
        long micros = 86_400_000_000L;
        assertThat(compare("day <= DATE '1998-09-02'")).isEqualTo(day);
        assertThat(compare("day <= '1998-09-02'")).isEqualTo(day);
        assertThat(describe(Conditions.parse("day < TIMESTAMP '1998-09-02 00:00:00'", SCHEMA)))
                .isEqualTo("day < " + day);
        assertThat(describe(Conditions.parse("day < TIMESTAMP '1998-09-02 00:00:01'", SCHEMA)))
                .isEqualTo("day <= " + day);
        assertThat(compare("at = '1998-09-02 00:00:01.5'")).isEqualTo(day * micros + 1_500_000);
        assertThat(compare("at = TIMESTAMP '1998-09-02 00:00:01.5'"))
                .isEqualTo(day * micros + 1_500_000);
        assertThat(compare("at = DATE '1998-09-02'")).isEqualTo(day * micros);
        assertThat(compare("tod = TIME '00:00:02'")).isEqualTo(2_000_000);
    }

    @Test
    void floatsCompareInTheirOwnOrder() {
        assertThat(compare("ratio > 0.1")).isEqualTo(FloatOrder.toOrdered(0.1));
        assertThat(compare("ratio > -2e3")).isEqualTo(FloatOrder.toOrdered(-2000));
        assertThat(compare("single = 0.1")).isEqualTo(FloatOrder.toOrdered(0.1f));
        assertThat(Conditions.parse("ratio = 0", SCHEMA))
                .isInstanceOfSatisfying(
                        Predicate.In.class, in -> assertThat(in.literals()).hasSize(2));
        assertThat(compare("ratio < 0")).isEqualTo(FloatOrder.toOrdered(-0.0));
        assertThat(compare("ratio > 0.0")).isEqualTo(FloatOrder.toOrdered(0.0));
    }

    @Test
    void wideDecimalsAreSixteenBytes() {
        Predicate predicate = Conditions.parse("wide = -1.5", SCHEMA);
        assertThat(((Predicate.Compare) predicate).literal())
                .isInstanceOfSatisfying(
                        Literal.BytesLiteral.class,
                        literal ->
                                assertThat(literal.value())
                                        .isEqualTo(
                                                WideOrder.toOrdered(BigInteger.valueOf(-15000))));
        assertThat(WideOrder.toOrdered(BigInteger.ZERO)[0]).isEqualTo((byte) 0x80);
        assertThat(WideOrder.toOrdered(BigInteger.valueOf(-1)))
                .isEqualTo(
                        new byte[] {
                            0x7F, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
                        });
        assertThat(describe(Conditions.parse("wide < 1e39", SCHEMA))).isEqualTo("wide not null");
    }

    @Test
    void textsAreUtf8() {
        assertThat(text("name = 'it''s é'")).isEqualTo("it's é");
        assertThat(text("code < 'a longer text than three'")).isEqualTo("a longer text than three");
        assertThat(bytes("raw = X'0aFF'")).containsExactly(0x0a, 0xff);
        assertThat(bytes("raw = X'0aFF' ")).containsExactly(0x0a, 0xff);
        assertThat(bytes("raw = 0x0aFF ")).containsExactly(0x0a, 0xff);
        assertThat(describe(Conditions.parse("x'0aff' = raw AND id = 1", SCHEMA)))
                .isEqualTo(describe(Conditions.parse("raw=X'0AFF'AND id=1", SCHEMA)));
        assertThat(bytes("raw = '0aff'")).containsExactly(0x0a, 0xff);
        assertThat(bytes("uid = '00112233-4455-6677-8899-aabbccddeeff'")).hasSize(16);
    }

    @Test
    void likeKnowsPrefixes() {
        assertThat(Conditions.parse("name LIKE 'ab%'", SCHEMA))
                .isInstanceOfSatisfying(
                        Predicate.StartsWith.class,
                        starts -> {
                            assertThat(starts.prefix()).isEqualTo("ab".getBytes(UTF));
                            assertThat(starts.negated()).isFalse();
                        });
        assertThat(Conditions.parse("NOT name LIKE 'ab%'", SCHEMA))
                .isInstanceOfSatisfying(
                        Predicate.StartsWith.class,
                        starts -> assertThat(starts.negated()).isTrue());
        assertThat(text("name LIKE 'ab'")).isEqualTo("ab");
        assertThat(text("name LIKE 'a\\%b'")).isEqualTo("a%b");
        assertThat(text("name LIKE 'a#_b' ESCAPE '#'")).isEqualTo("a_b");
        assertThat(describe(Conditions.parse("name LIKE '%'", SCHEMA))).isEqualTo("name not null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "nope = 1 | nope, which table t does not have",
                "u.id = 1 | u.id",
                "id = small | small; only literals",
                "id = name | only literals",
                "name = abc | single quotes",
                "name = 7 | cannot be checked: it is compared with a number; write '7' in",
                "id = 'x' | no number",
                "id = TRUE | no number",
                "day = '1998-13-01' | day",
                "day = 7 | it is compared with a literal of another type",
                "uid = 'x' | uid",
                "id + 1 = 2 | not supported",
                "lower(name) = 'x' | not supported",
                "name LIKE '%x' | prefix%",
                "name ILIKE 'x%' | not supported",
                "id LIKE '1%' | LIKE needs",
                "id IN (SELECT 1) | not supported",
                "id | truth value",
                "id > | too early",
                "id == 1 | line 1, column 5",
                "id = 1 garbage more | garbage",
                "1 = 1 | not supported",
                "(id, small) = (1, 2) | not supported",
                "^ ^ | empty"
            })
    void whatIsNotUnderstoodIsNamed(String condition, String message) {
        assertThatThrownBy(() -> Conditions.parse(condition, SCHEMA))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {" AND ", " OR "})
    void longChainsDoNotExhaustTheStack(String joint) {
        String condition =
                java.util.stream.IntStream.range(0, 5000)
                        .mapToObj(i -> "id = " + i)
                        .collect(Collectors.joining(joint));
        Predicate predicate = Conditions.parse(condition, SCHEMA);
        assertThat(describe(predicate)).contains("id = 4999");
    }

    private static final java.nio.charset.Charset UTF = StandardCharsets.UTF_8;

    private static long compare(String condition) {
        Predicate.Compare compare = (Predicate.Compare) Conditions.parse(condition, SCHEMA);
        return ((Literal.LongLiteral) compare.literal()).value();
    }

    private static byte[] bytes(String condition) {
        Predicate.Compare compare = (Predicate.Compare) Conditions.parse(condition, SCHEMA);
        return ((Literal.BytesLiteral) compare.literal()).value();
    }

    private static String text(String condition) {
        return new String(bytes(condition), UTF);
    }

    private static String describe(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) -> join(terms, " and ");
            case Predicate.Or(List<Predicate> terms) ->
                    terms.isEmpty() ? "never" : join(terms, " or ");
            case Predicate.Compare(int column, Operator operator, Literal literal) ->
                    name(column) + " " + sign(operator) + " " + value(literal);
            case Predicate.In(int column, List<Literal> literals, boolean negated) ->
                    name(column)
                            + (negated ? " not in " : " in ")
                            + literals.stream().map(ConditionsTest::value).toList();
            case Predicate.IsNull(int column, boolean negated) ->
                    name(column) + (negated ? " not null" : " null");
            case Predicate.StartsWith(int column, byte[] prefix, boolean negated) ->
                    name(column) + (negated ? " not like " : " like ") + new String(prefix, UTF);
        };
    }

    private static String join(List<Predicate> terms, String joint) {
        return terms.stream()
                .map(ConditionsTest::describe)
                .collect(Collectors.joining(joint, "(", ")"));
    }

    private static String name(int column) {
        return SCHEMA.column(column).name();
    }

    private static String sign(Operator operator) {
        return switch (operator) {
            case EQUAL -> "=";
            case NOT_EQUAL -> "<>";
            case LESS -> "<";
            case LESS_OR_EQUAL -> "<=";
            case GREATER -> ">";
            case GREATER_OR_EQUAL -> ">=";
        };
    }

    private static String value(Literal literal) {
        return switch (literal) {
            case Literal.LongLiteral(long value) -> Long.toString(value);
            case Literal.BytesLiteral(byte[] value) -> new String(value, UTF);
        };
    }
}
