package dev.penstock.kv.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.GroupKey;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.aggregate.PartialValue;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.kv.storage.OpenSegments;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/** Aggregates see what reads see: rows in memory, replaced and removed ones, several layers. */
class RegionAggregateTest {
    private static final int NAME = 1;
    private static final int AMOUNT = 2;

    /** A result has no more. */
    private static final int MAX_GROUPS = 65_536;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aggregatesAreThoseOfTheVisibleRows(long seed) {
        Random random = new Random(seed);
        TreeMap<Long, Item> model = new TreeMap<>();
        try (Region region = region()) {
            for (int round = 0; round < 12; round++) {
                change(region, model, random);
                if (random.nextInt(3) == 0) {
                    region.flush();
                }
                check(region, model, 0, 1 << 20, Long.MIN_VALUE);
                long from = random.nextInt(5_000);
                check(region, model, from, from + random.nextInt(3_000), random.nextInt(9_000));
            }
        }
    }

    /** One layer has few keys where the other has many, or both have many. */
    @ParameterizedTest
    @CsvSource({
        "20000, 1, 2000, true", "20000, 1, 2000, false",
        "20000, 2000, 1, true", "20000, 2000, 1, false",
        "20000, 1, 3, true", "20000, 1, 3, false",
        "20000, 3, 2, true", "20000, 2, 3, false",
        "20000, 7, 7, true", "20000, 5, 20000, false",
        "140000, 1, 3, true", "140000, 1, 9000, false"
    })
    void newerLayersDecideHoweverManyKeysEitherHas(
            int rows, int oldEvery, int newEvery, boolean flushed) {
        TreeMap<Long, Item> model = new TreeMap<>();
        try (Region region = region()) {
            putEvery(region, model, rows, oldEvery, 1);
            region.flush();
            putEvery(region, model, rows, newEvery, 2);
            List<byte[]> removed = new ArrayList<>();
            for (long id = 0; id < rows; id += 3L * newEvery) {
                removed.add(TestTable.key(id));
                model.remove(id);
            }
            region.delete(removed);
            if (flushed) {
                region.flush();
            }
            check(region, model, 0, rows, Long.MIN_VALUE);
            check(region, model, 1_000, rows - 3_000, 30_000);
            check(region, model, 0, rows, 3L * rows - 100);
            check(region, model, 9_001, 9_002, Long.MIN_VALUE);
        }
    }

    private static void putEvery(
            Region region, NavigableMap<Long, Item> model, int rows, int every, int version) {
        List<Item> items = new ArrayList<>();
        for (long id = 0; id < rows; id += every) {
            items.add(TestTable.item(id, version));
        }
        items.forEach(item -> model.put(item.id(), item));
        region.put(TestTable.batch(items));
    }

    private static List<Item> scan(Region region, KeyRange range, Predicate predicate) {
        List<Item> rows = new ArrayList<>();
        ScanRequest request =
                new ScanRequest(7, 0, range, new int[] {0, 1, 2}, predicate, ScanRequest.NO_LIMIT);
        try (ScanCursor cursor = region.scan(request)) {
            ColumnBatch batch = TestTable.emptyBatch();
            while (cursor.next(batch)) {
                rows.addAll(TestTable.read(batch));
            }
        }
        return rows;
    }

    private Region region() {
        RegionContext context =
                new RegionContext(
                        new NioStorage(),
                        RegionJournal.open(new NioStorage(), folder.resolve("journal")),
                        new OpenSegments(8 << 10, 1 << 16),
                        () -> Instant.ofEpochSecond(1000),
                        1 << 30,
                        new RowMemory(1 << 30),
                        new Semaphore(2));
        return Region.create(
                context,
                RegionFiles.in(folder, 7),
                new RegionDescriptor(7, 1, TestTable.SCHEMA, KeyRange.ALL));
    }

    /** Stores a range of rows, then removes a few. */
    private static void change(Region region, NavigableMap<Long, Item> model, Random random) {
        long from = random.nextInt(6_000);
        List<Item> items =
                TestTable.items(from, from + 1 + random.nextInt(1_500), random.nextInt(50));
        region.put(TestTable.batch(items));
        items.forEach(item -> model.put(item.id(), item));
        List<byte[]> removed = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long id = random.nextInt(7_000);
            removed.add(TestTable.key(id));
            model.remove(id);
        }
        region.delete(removed);
    }

    private static void check(
            Region region, NavigableMap<Long, Item> model, long from, long to, long over) {
        List<Item> rows = new ArrayList<>();
        for (Item item : model.subMap(from, to).values()) {
            Integer amount = item.amount();
            if (over == Long.MIN_VALUE || amount != null && amount > over) {
                rows.add(item);
            }
        }
        Predicate predicate =
                over == Long.MIN_VALUE
                        ? Predicate.ALWAYS
                        : new Predicate.Compare(
                                AMOUNT, Predicate.Operator.GREATER, new Literal.LongLiteral(over));
        KeyRange range = new KeyRange(TestTable.key(from), TestTable.key(to));
        checkSums(region, range, predicate, rows);
        if (rows.size() <= MAX_GROUPS) {
            checkGroups(region, range, predicate, rows);
        }
        assertThat(region.count(0, range, predicate)).isEqualTo(rows.size());
        assertThat(scan(region, range, predicate)).isEqualTo(rows);
    }

    private static void checkSums(
            Region region, KeyRange range, Predicate predicate, List<Item> rows) {
        List<Integer> amounts = rows.stream().map(Item::amount).filter(Objects::nonNull).toList();
        List<String> names = rows.stream().map(Item::name).filter(Objects::nonNull).toList();
        AggregateQuery query =
                new AggregateQuery(
                        range,
                        predicate,
                        List.of(),
                        List.of(
                                Aggregate.countRows(),
                                Aggregate.count(NAME),
                                Aggregate.sum(AMOUNT),
                                Aggregate.min(NAME),
                                Aggregate.max(AMOUNT)));
        long sum = amounts.stream().mapToLong(amount -> amount).sum();
        PartialValue none = new PartialValue.None();
        assertThat(region.aggregate(0, query).single())
                .containsExactly(
                        new PartialValue.Count(rows.size()),
                        new PartialValue.Count(names.size()),
                        amounts.isEmpty()
                                ? none
                                : new PartialValue.ExactSum(BigInteger.valueOf(sum)),
                        names.stream()
                                .min(Comparator.naturalOrder())
                                .<PartialValue>map(name ->
                                        new PartialValue.BytesValue(
                                                name.getBytes(StandardCharsets.UTF_8)))
                                .orElse(none),
                        amounts.stream()
                                .max(Comparator.naturalOrder())
                                .<PartialValue>map(amount -> new PartialValue.LongValue(amount))
                                .orElse(none));
    }

    private static void checkGroups(
            Region region, KeyRange range, Predicate predicate, List<Item> rows) {
        AggregateQuery query =
                new AggregateQuery(
                        range, predicate, List.of(AMOUNT), List.of(Aggregate.countRows()));
        TreeMap<GroupKey, List<PartialValue>> expected = new TreeMap<>();
        PartialResult counted = new PartialResult(query.aggregates());
        for (Item item : rows) {
            Optional<Literal> amount =
                    Optional.ofNullable(item.amount()).map(Literal.LongLiteral::new);
            counted.add(new GroupKey(List.of(amount)), List.of(new PartialValue.Count(1)));
        }
        expected.putAll(counted.groups());
        assertThat(region.aggregate(0, query).groups()).isEqualTo(expected);
    }
}
