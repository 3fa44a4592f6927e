package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.BatchFilter;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Encode;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class SegmentScannerTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(0, 0, 0);

    private final TableSchema schema = Rows.wideSchema();
    private final Random random = new Random(31);
    private final List<@Nullable Object[]> rows = new ArrayList<>();
    private final List<byte[]> keys = new ArrayList<>();

    SegmentScannerTest() {
        List<@Nullable Object[]> all = Rows.random(schema, random, 17_000, 1 << 14, 10);
        for (@Nullable Object[] row : Rows.sorted(schema, all)) {
            byte[] key = Rows.key(schema, row);
            if (keys.isEmpty() || !Arrays.equals(keys.getLast(), key)) {
                rows.add(row);
                keys.add(key);
            }
        }
    }

    @Test
    void predicatesSelectWhatANaiveEvaluationSelects() {
        List<SegmentReader> readers = readers();
        ColumnBatch batch = Rows.batch(schema, rows);
        for (int round = 0; round < 80; round++) {
            Predicate predicate = predicate(2);
            KeyRange range = round % 3 == 0 ? KeyRange.ALL : range();
            int[] projection = projection();
            List<Integer> expected = naive(predicate, range);
            for (SegmentReader reader : readers) {
                check(reader, range, projection, predicate, expected);
            }
            BatchFilter filter = new BatchFilter(predicate);
            for (int row = 0; row < rows.size(); row += 7) {
                assertThat(filter.matches(batch, row)).isEqualTo(matches(predicate, rows.get(row)));
            }
        }
    }

    private void check(
            SegmentReader reader,
            KeyRange range,
            int[] projection,
            Predicate predicate,
            List<Integer> expected) {
        assertThat(new SegmentScanner(reader, range, projection, predicate, false).count())
                .as("%s", predicate)
                .isEqualTo(expected.size());
        SegmentScanner scanner = new SegmentScanner(reader, range, projection, predicate, true);
        List<Column> columns = new ArrayList<>();
        for (int column : projection) {
            columns.add(schema.column(column));
        }
        ColumnBatch out = ColumnBatch.forColumns(columns, 0);
        int at = 0;
        while (scanner.next(out)) {
            assertThat(out.rowCount()).isBetween(1, SegmentFormat.BLOCK_ROWS);
            List<Integer> part = expected.subList(at, at + out.rowCount());
            for (int i = 0; i < projection.length; i++) {
                int column = projection[i];
                List<@Nullable Object> values = new ArrayList<>();
                for (int row : part) {
                    values.add(Rows.comparable(rows.get(row)[column]));
                }
                assertThat(Rows.values(out.column(i), out.rowCount())).isEqualTo(values);
            }
            assertThat(scanner.keys().get(0)).isEqualTo(keys.get(part.getFirst()));
            assertThat(scanner.keys().get(out.rowCount() - 1)).isEqualTo(keys.get(part.getLast()));
            at += out.rowCount();
        }
        assertThat(at).isEqualTo(expected.size());
    }

    /** The same rows in every encoding, and merged with compression. */
    private List<SegmentReader> readers() {
        List<SegmentReader> readers = new ArrayList<>();
        for (Encode.Choice choice : Encode.Choice.values()) {
            Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
            Arrays.fill(choices, choice);
            ByteBuilder out = new ByteBuilder(0);
            new Encode(schema)
                    .run(Rows.batch(schema, rows), 0, rows.size(), choices, true, IDENTITY, out);
            readers.add(open(out));
        }
        ByteBuilder merged = new ByteBuilder(0);
        new Merge(schema, MergeLimits.DEFAULT)
                .run(
                        List.of(new Merge.Run(readers.getFirst(), 0)),
                        DuplicatePolicy.ERROR,
                        IDENTITY,
                        new Merge.Output() {
                            @Override
                            public ByteBuilder open(int ordinal) {
                                return merged;
                            }

                            @Override
                            public void close(int ordinal, SegmentSummary summary) {}
                        });
        readers.add(open(merged));
        return readers;
    }

    @Test
    void theMergedSegmentIsAmongTheTested() {
        assertThat(readers()).hasSize(4);
        assertThat(readers().getLast().statistics(12).encoding())
                .isEqualTo(ColumnEncoding.COMPRESSED);
    }

    private SegmentReader open(ByteBuilder image) {
        return SegmentReader.open(schema, MemorySegment.ofArray(image.toByteArray()), "s");
    }

    private int[] projection() {
        return random.ints(random.nextInt(4), 0, schema.columnCount()).toArray();
    }

    private KeyRange range() {
        byte[] start = keys.get(random.nextInt(keys.size()));
        byte[] end = keys.get(random.nextInt(keys.size()));
        return switch (random.nextInt(3)) {
            case 0 -> new KeyRange(start, new byte[0]);
            case 1 -> new KeyRange(new byte[0], end);
            default ->
                    Arrays.compareUnsigned(start, end) <= 0
                            ? new KeyRange(start, end)
                            : new KeyRange(end, start);
        };
    }

    private Predicate predicate(int depth) {
        int column = random.nextInt(schema.columnCount());
        boolean negated = random.nextBoolean();
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> new Predicate.IsNull(column, negated);
            case 1 -> {
                List<Literal> literals = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    literals.add(literal(column));
                }
                yield new Predicate.In(column, literals, negated);
            }
            case 2 -> {
                byte[] word = random.nextBoolean() ? new byte[] {'T', 'A'} : new byte[] {1};
                yield isLong(column)
                        ? Predicate.ALWAYS
                        : new Predicate.StartsWith(column, word, negated);
            }
            case 3, 4 ->
                    new Predicate.Compare(
                            column,
                            Predicate.Operator.values()[random.nextInt(6)],
                            literal(column));
            case 5 -> new Predicate.And(List.of(predicate(depth - 1), predicate(depth - 1)));
            default ->
                    new Predicate.Or(
                            List.of(
                                    predicate(depth - 1),
                                    predicate(depth - 1),
                                    predicate(depth - 1)));
        };
    }

    /** Mostly a value that occurs. */
    private Literal literal(int column) {
        Object value = rows.get(random.nextInt(rows.size()))[column];
        if (isLong(column)) {
            long[] odd = {0, Long.MIN_VALUE, Long.MAX_VALUE, random.nextLong()};
            boolean known = value != null && random.nextInt(5) > 0;
            return new Literal.LongLiteral(known ? (long) value : odd[random.nextInt(4)]);
        }
        boolean known = value != null && random.nextInt(5) > 0;
        return new Literal.BytesLiteral(known ? (byte[]) value : new byte[] {1, 2});
    }

    private boolean isLong(int column) {
        return schema.column(column).type().kind() == PhysicalKind.LONG;
    }

    private List<Integer> naive(Predicate predicate, KeyRange range) {
        List<Integer> selected = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            if (range.contains(keys.get(row)) && matches(predicate, rows.get(row))) {
                selected.add(row);
            }
        }
        return selected;
    }

    private static boolean matches(Predicate predicate, @Nullable Object[] row) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) ->
                    terms.stream().allMatch(term -> matches(term, row));
            case Predicate.Or(List<Predicate> terms) ->
                    terms.stream().anyMatch(term -> matches(term, row));
            case Predicate.IsNull(int column, boolean negated) -> (row[column] == null) != negated;
            case Predicate.Compare(int column, Predicate.Operator operator, Literal literal) -> {
                Object value = row[column];
                if (value == null) {
                    yield false;
                }
                int order = compare(value, literal);
                yield switch (operator) {
                    case EQUAL -> order == 0;
                    case NOT_EQUAL -> order != 0;
                    case LESS -> order < 0;
                    case LESS_OR_EQUAL -> order <= 0;
                    case GREATER -> order > 0;
                    case GREATER_OR_EQUAL -> order >= 0;
                };
            }
            case Predicate.In(int column, List<Literal> literals, boolean negated) -> {
                Object value = row[column];
                yield value != null
                        && literals.stream().anyMatch(literal -> compare(value, literal) == 0)
                                != negated;
            }
            case Predicate.StartsWith(int column, byte[] prefix, boolean negated) ->
                    row[column] instanceof byte[] value
                            && (value.length >= prefix.length
                                            && Arrays.equals(
                                                    Arrays.copyOf(value, prefix.length), prefix))
                                    != negated;
        };
    }

    private static int compare(Object value, Literal literal) {
        return switch (literal) {
            case Literal.LongLiteral(long other) -> Long.compare((long) value, other);
            case Literal.BytesLiteral(byte[] other) ->
                    Arrays.compareUnsigned((byte[]) value, other);
        };
    }
}
