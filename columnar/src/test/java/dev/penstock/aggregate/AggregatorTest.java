package dev.penstock.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.BatchFilter;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.Rows;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.step.Encode;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.stream.IntStream;

/** Aggregates of segments and batches are those of the rows one by one. */
class AggregatorTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(0, 0, 0);

    /** Columns of numbers whose sums can be had in any order. */
    private static final int[] SUMMED = {3, 4, 5, 6, 7, 8, 18};

    private final TableSchema schema = Rows.wideSchema();
    private final KeyCodec codec = new KeyCodec(schema);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void segmentsAndBatchesAnswerWhatTheRowsSay(long seed) {
        Random random = new Random(seed);
        int count = seed == 1 ? 0 : random.nextInt(20_000);
        List<@Nullable Object[]> rows = rows(random, count, seed % 3 == 0 ? 0 : 15);
        ColumnBatch batch = Rows.batch(schema, rows);
        List<SegmentReader> readers = readers(batch);
        for (int round = 0; round < 25; round++) {
            AggregateQuery query = query(random, rows);
            List<@Nullable Object[]> matching = matching(rows, batch, query);
            SortedMap<GroupKey, List<@Nullable Object>> expected =
                    NaiveAggregates.of(schema, matching, query);
            for (SegmentReader reader : readers) {
                assertThat(NaiveAggregates.plain(whole(reader, query)))
                        .as("%s", query)
                        .isEqualTo(expected);
                assertThat(NaiveAggregates.plain(parts(reader, query, random)))
                        .as("%s", query)
                        .isEqualTo(expected);
            }
            assertThat(NaiveAggregates.plain(batches(matching, query, random)))
                    .as("%s", query)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    void groupsByManyColumnsAreThoseOfTheRows(long seed) {
        Random random = new Random(seed);
        List<@Nullable Object[]> rows = rows(random, 9_000, 5);
        ColumnBatch batch = Rows.batch(schema, rows);
        for (List<Integer> groupBy :
                List.of(
                        List.of(10, 11),
                        List.of(9, 4),
                        List.of(4, 10, 5),
                        List.of(14),
                        List.of(0))) {
            AggregateQuery query =
                    new AggregateQuery(
                            KeyRange.ALL,
                            Predicate.ALWAYS,
                            groupBy,
                            List.of(
                                    Aggregate.countRows(),
                                    Aggregate.sum(7),
                                    Aggregate.sum(18),
                                    Aggregate.max(12)));
            SortedMap<GroupKey, List<@Nullable Object>> expected =
                    NaiveAggregates.of(schema, rows, query);
            for (SegmentReader reader : readers(batch)) {
                assertThat(NaiveAggregates.plain(whole(reader, query))).isEqualTo(expected);
            }
        }
    }

    @Test
    void bothZerosAreOneGroup() {
        long zero = FloatOrder.toOrdered(0.0);
        List<@Nullable Object[]> rows = rows(new Random(31), 5_000, 5);
        for (int i = 0; i < rows.size(); i++) {
            rows.get(i)[6] = (Object) (i % 3 == 0 ? FloatOrder.toOrdered(-0.0) : zero);
        }
        for (List<Integer> groupBy : List.of(List.of(6), List.of(6, 2), List.of(2, 6))) {
            AggregateQuery query =
                    new AggregateQuery(
                            KeyRange.ALL,
                            Predicate.ALWAYS,
                            groupBy,
                            List.of(Aggregate.countRows(), Aggregate.sum(7)));
            List<@Nullable Object[]> plain = new ArrayList<>();
            for (@Nullable Object[] row : rows) {
                plain.add(row.clone());
                plain.getLast()[6] = zero;
            }
            SortedMap<GroupKey, List<@Nullable Object>> expected =
                    NaiveAggregates.of(schema, plain, query);
            for (SegmentReader reader : readers(Rows.batch(schema, rows))) {
                assertThat(NaiveAggregates.plain(whole(reader, query))).isEqualTo(expected);
            }
            assertThat(NaiveAggregates.plain(batches(rows, query, new Random(32))))
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {21})
    void moreGroupsThanAResultMayHaveAreRefused(long seed) {
        List<@Nullable Object[]> rows = rows(new Random(seed), 70_000, 0);
        AggregateQuery query =
                new AggregateQuery(
                        KeyRange.ALL, Predicate.ALWAYS, List.of(5), List.of(Aggregate.countRows()));
        SegmentReader reader = readers(Rows.batch(schema, rows)).getFirst();
        assertThatThrownBy(() -> whole(reader, query))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("more than 65536 groups");
    }

    private PartialResult whole(SegmentReader reader, AggregateQuery query) {
        return new SegmentAggregator(reader, query, query.predicate()).run();
    }

    /** Of ranges of blocks on their own, merged. */
    private PartialResult parts(SegmentReader reader, AggregateQuery query, Random random) {
        PartialResult all = new PartialResult(query.aggregates());
        int from = 0;
        while (from < reader.blockCount()) {
            int to = Math.min(reader.blockCount(), from + 1 + random.nextInt(3));
            SegmentAggregator part = new SegmentAggregator(reader, query, query.predicate());
            part.limitBlocks(from, to);
            all.add(part.run());
            from = to;
        }
        return all;
    }

    private PartialResult batches(
            List<@Nullable Object[]> rows, AggregateQuery query, Random random) {
        BatchAggregator aggregator = new BatchAggregator(schema, query);
        int from = 0;
        while (from < rows.size()) {
            int to = Math.min(rows.size(), from + 1 + random.nextInt(9_000));
            ColumnBatch all = Rows.batch(schema, rows.subList(from, to));
            ColumnBatch projected =
                    new ColumnBatch(
                            Arrays.stream(query.projection()).mapToObj(all::column).toList());
            projected.setRowCount(to - from);
            aggregator.add(projected);
            from = to;
        }
        return aggregator.result();
    }

    private List<@Nullable Object[]> matching(
            List<@Nullable Object[]> rows, ColumnBatch batch, AggregateQuery query) {
        BatchFilter filter = new BatchFilter(query.predicate());
        List<@Nullable Object[]> matching = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            if (query.range().contains(codec.encode(batch, row)) && filter.matches(batch, row)) {
                matching.add(rows.get(row));
            }
        }
        return matching;
    }

    /** In key order; doubles are eighths, whose sums are exact in any order. */
    private List<@Nullable Object[]> rows(Random random, int count, int nullPercent) {
        List<@Nullable Object[]> rows =
                Rows.sorted(schema, Rows.random(schema, random, count, 1 << 14, nullPercent));
        for (@Nullable Object[] row : rows) {
            row[3] = row[3] == null ? null : (Object) (100 + 3L * random.nextInt(40));
            row[6] =
                    row[6] == null
                            ? null
                            : (Object) FloatOrder.toOrdered((random.nextInt(2000) - 1000) / 8.0);
        }
        return rows;
    }

    /** In every encoding, in the heap and outside of it. */
    private List<SegmentReader> readers(ColumnBatch batch) {
        List<SegmentReader> readers = new ArrayList<>();
        for (Encode.Choice choice : Encode.Choice.values()) {
            Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
            Arrays.fill(choices, choice);
            ByteBuilder out = new ByteBuilder(0);
            new Encode(schema).run(batch, 0, batch.rowCount(), choices, true, IDENTITY, out);
            MemorySegment heap = MemorySegment.ofArray(out.toByteArray());
            readers.add(SegmentReader.open(schema, heap, "heap"));
            MemorySegment mapped = Arena.ofAuto().allocate(heap.byteSize(), 8);
            readers.add(SegmentReader.open(schema, mapped.copyFrom(heap), "mapped"));
        }
        return readers;
    }

    private AggregateQuery query(Random random, List<@Nullable Object[]> rows) {
        List<Aggregate> aggregates = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int column = random.nextInt(schema.columnCount());
            aggregates.add(
                    switch (random.nextInt(5)) {
                        case 0 -> Aggregate.countRows();
                        case 1 -> Aggregate.count(column);
                        case 2 -> Aggregate.min(column);
                        case 3 -> Aggregate.max(column);
                        default -> Aggregate.sum(SUMMED[random.nextInt(SUMMED.length)]);
                    });
        }
        List<Integer> groupBy =
                switch (random.nextInt(5)) {
                    case 0 -> List.of(10);
                    case 1 -> List.of(11, 2);
                    case 2 -> List.of(4, 10, 11);
                    default -> List.of();
                };
        List<Product> products = products(random);
        for (int i = 0; i < products.size(); i++) {
            int column = Aggregate.ofProduct(i);
            aggregates.add(
                    random.nextInt(4) == 0 ? Aggregate.count(column) : Aggregate.sum(column));
        }
        return new AggregateQuery(
                range(random, rows), predicate(random, rows), groupBy, aggregates, products);
    }

    /** Of columns of exact numbers, with terms small and so large that products leave a long. */
    private List<Product> products(Random random) {
        List<Integer> exact =
                IntStream.range(0, schema.columnCount())
                        .filter(column -> Product.isExact(schema.column(column).type()))
                        .boxed()
                        .toList();
        List<Product> products = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            List<Product.Term> terms = new ArrayList<>();
            boolean large = false;
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                int column = exact.get(random.nextInt(exact.size()));
                boolean wide = schema.column(column).type() instanceof ColumnType.BigIntType;
                if (wide && large) {
                    continue;
                }
                large |= wide;
                long constant = random.nextBoolean() ? 0 : random.nextInt(2_001) - 1_000;
                terms.add(new Product.Term(column, constant, random.nextBoolean()));
            }
            products.add(new Product(terms));
        }
        return products;
    }

    @Test
    void rowsThatAreNotSelectedDoNotLeaveTheRoomOfASum() {
        TableSchema grouped =
                TableSchema.declare(
                        "g",
                        List.of(
                                new Column("g", new ColumnType.IntegerType(), false),
                                new Column("v", new ColumnType.BigIntType(), false)),
                        List.of(new KeyColumn(1, false)));
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            rows.add(new Object[] {(long) i % 3, i < 90 ? i : Long.MAX_VALUE - 100 + i});
        }
        Predicate small =
                new Predicate.Compare(1, Predicate.Operator.LESS, new Literal.LongLiteral(1_000));
        Product square =
                new Product(List.of(new Product.Term(1, 0, false), new Product.Term(1, 0, false)));
        AggregateQuery query =
                new AggregateQuery(
                        KeyRange.ALL,
                        small,
                        List.of(0),
                        List.of(Aggregate.sum(Aggregate.ofProduct(0))),
                        List.of(square));
        Encode.Choice[] choices = {Encode.Choice.DICTIONARY, Encode.Choice.DICTIONARY};
        ByteBuilder out = new ByteBuilder(0);
        new Encode(grouped).run(Rows.batch(grouped, rows), 0, 100, choices, true, IDENTITY, out);
        MemorySegment bytes = MemorySegment.ofArray(out.toByteArray());
        SegmentReader reader = SegmentReader.open(grouped, bytes, "grouped");
        assertThat(NaiveAggregates.plain(whole(reader, query)))
                .isEqualTo(NaiveAggregates.of(grouped, rows.subList(0, 90), query));
    }

    @Test
    void sumsOfProductsOfMoreThan38DigitsAreRefused() {
        TableSchema numbers =
                TableSchema.declare(
                        "n",
                        List.of(new Column("v", new ColumnType.BigIntType(), false)),
                        List.of(new KeyColumn(0, false)));
        List<@Nullable Object[]> rows = List.<@Nullable Object[]>of(new Object[] {Long.MIN_VALUE});
        ColumnBatch batch = Rows.batch(numbers, rows);
        Product.Term term = new Product.Term(0, 1, true);
        AggregateQuery square = sumOf(new Product(List.of(term, new Product.Term(0, 2, false))));
        BatchAggregator squares = new BatchAggregator(numbers, square);
        squares.add(batch);
        assertThat(NaiveAggregates.plain(squares.result()))
                .isEqualTo(NaiveAggregates.of(numbers, rows, square));
        squares.add(batch);
        assertThatThrownBy(() -> squares.add(batch))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("more than 38 digits");
        BatchAggregator cubes =
                new BatchAggregator(numbers, sumOf(new Product(List.of(term, term, term))));
        assertThatThrownBy(() -> cubes.add(batch))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("more than 38 digits");
    }

    private static AggregateQuery sumOf(Product product) {
        return new AggregateQuery(
                KeyRange.ALL,
                Predicate.ALWAYS,
                List.of(),
                List.of(Aggregate.sum(Aggregate.ofProduct(0))),
                List.of(product));
    }

    private KeyRange range(Random random, List<@Nullable Object[]> rows) {
        if (rows.isEmpty() || random.nextBoolean()) {
            return KeyRange.ALL;
        }
        byte[] start = Rows.key(schema, rows.get(random.nextInt(rows.size())));
        byte[] end = Rows.key(schema, rows.get(random.nextInt(rows.size())));
        return Arrays.compareUnsigned(start, end) <= 0
                ? new KeyRange(start, end)
                : new KeyRange(start, new byte[0]);
    }

    private Predicate predicate(Random random, List<@Nullable Object[]> rows) {
        if (rows.isEmpty() || random.nextInt(3) == 0) {
            return Predicate.ALWAYS;
        }
        List<Predicate> terms =
                IntStream.range(0, 1 + random.nextInt(3))
                        .mapToObj(_ -> comparison(random, rows))
                        .toList();
        return random.nextInt(4) == 0 ? new Predicate.Or(terms) : new Predicate.And(terms);
    }

    private Predicate comparison(Random random, List<@Nullable Object[]> rows) {
        int column = random.nextInt(schema.columnCount());
        Object value = rows.get(random.nextInt(rows.size()))[column];
        if (value == null) {
            return new Predicate.IsNull(column, random.nextBoolean());
        }
        Literal literal =
                isLong(column)
                        ? new Literal.LongLiteral((long) value)
                        : new Literal.BytesLiteral((byte[]) value);
        Predicate.Operator[] operators = Predicate.Operator.values();
        return new Predicate.Compare(column, operators[random.nextInt(operators.length)], literal);
    }

    private boolean isLong(int column) {
        ColumnType type = schema.column(column).type();
        return type.kind() == PhysicalKind.LONG;
    }
}
