package dev.penstock.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyCodec;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate.Compare;
import dev.penstock.predicate.Predicate.Operator;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Ranges of keys that conditions leave: never too small, small where the key's columns are bound.
 */
final class KeyRangesTest {
    private static final TableSchema TABLE =
            TableSchema.declare(
                    "t",
                    List.of(
                            new Column("value", new ColumnType.BigIntType(), true),
                            new Column("day", new ColumnType.IntegerType(), false),
                            new Column("name", new ColumnType.VarcharType(8), false)),
                    List.of(new KeyColumn(1, false), new KeyColumn(2, true)));

    @Test
    void equal_and_bounded_columns_make_a_narrow_range() {
        KeyRange range =
                KeyRanges.of(
                        TABLE,
                        new Predicate.And(
                                List.of(
                                        day(Operator.EQUAL, 7),
                                        name(Operator.GREATER, "b"),
                                        name(Operator.LESS_OR_EQUAL, "d"))));
        assertThat(range.contains(key(7, "c"))).isTrue();
        assertThat(range.contains(key(7, "d"))).isTrue();
        assertThat(range.contains(key(7, "b"))).isFalse();
        assertThat(range.contains(key(7, "e"))).isFalse();
        assertThat(range.contains(key(6, "c"))).isFalse();
        assertThat(range.contains(key(8, "c"))).isFalse();
    }

    @Test
    void a_bound_that_no_key_can_hold_is_left_out() {
        assertThat(KeyRanges.of(TABLE, day(Operator.LESS, 5_000_000_000L))).isEqualTo(KeyRange.ALL);
        assertThat(KeyRanges.of(TABLE, day(Operator.EQUAL, 5_000_000_000L)))
                .isEqualTo(KeyRange.ALL);
    }

    @Test
    void conditions_on_other_columns_leave_everything() {
        Predicate value = new Compare(0, Operator.EQUAL, new Literal.LongLiteral(1));
        assertThat(KeyRanges.of(TABLE, value)).isEqualTo(KeyRange.ALL);
        assertThat(KeyRanges.of(TABLE, name(Operator.EQUAL, "a"))).isEqualTo(KeyRange.ALL);
        assertThat(KeyRanges.of(TABLE, new Predicate.Or(List.of(day(Operator.EQUAL, 1)))))
                .isEqualTo(KeyRange.ALL);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void no_row_that_meets_the_conditions_is_outside(int seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            List<Compare> terms = terms(random);
            KeyRange range = KeyRanges.of(TABLE, new Predicate.And(List.copyOf(terms)));
            for (int row = 0; row < 60; row++) {
                int day = random.nextInt(6) - 3;
                String name = text(random);
                if (terms.stream().allMatch(term -> holds(term, day, name))) {
                    assertThat(range.contains(key(day, name)))
                            .as("%d '%s' in %s by %s", day, name, range, terms)
                            .isTrue();
                }
            }
        }
    }

    private static List<Compare> terms(Random random) {
        List<Compare> terms = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            Operator operator = Operator.values()[random.nextInt(Operator.values().length)];
            terms.add(
                    random.nextBoolean()
                            ? day(operator, random.nextInt(6) - 3)
                            : name(operator, text(random)));
        }
        return terms;
    }

    private static boolean holds(Compare term, int day, String name) {
        int order =
                switch (term.literal()) {
                    case Literal.LongLiteral(long bound) -> Long.compare(day, bound);
                    case Literal.BytesLiteral(byte[] bound) ->
                            name.compareTo(new String(bound, StandardCharsets.UTF_8));
                };
        return switch (term.operator()) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append("\u0000\u0001ab".charAt(random.nextInt(4)));
        }
        return text.toString();
    }

    private static Compare day(Operator operator, long bound) {
        return new Compare(1, operator, new Literal.LongLiteral(bound));
    }

    private static Compare name(Operator operator, String bound) {
        return new Compare(
                2, operator, new Literal.BytesLiteral(bound.getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] key(int day, String name) {
        ColumnBatch batch = ColumnBatch.forColumns(TABLE.columns(), 1);
        batch.longs(1).values()[0] = day;
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        batch.bytes(2).append(0, bytes, 0, bytes.length);
        batch.setRowCount(1);
        return new KeyCodec(TABLE).encode(batch, 0);
    }
}
