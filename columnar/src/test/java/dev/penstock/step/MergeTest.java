package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnHashes;
import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.ColumnEncoding;
import dev.penstock.segment.RegionDictionaries;
import dev.penstock.segment.Rows;
import dev.penstock.segment.SegmentChecksum;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

class MergeTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(1, 2, 3);
    private static final MergeLimits SMALL =
            MergeLimits.DEFAULT.withUnitRows(700).withSegmentRows(10_000);

    private final TableSchema schema = Rows.wideSchema();

    @ParameterizedTest
    @EnumSource(
            value = DuplicatePolicy.class,
            names = {"KEEP_FIRST", "KEEP_LAST", "REPLACE", "KEEP_EXISTING", "REJECT"})
    void overlappingRunsMergeAsTheSortedRowsSay(DuplicatePolicy policy) {
        for (TableSchema keyed : List.of(schema, Rows.stringKeySchema())) {
            Random random = new Random(21);
            for (int keySpan : new int[] {40, 1 << 20}) {
                List<@Nullable Object[]> rows = Rows.random(keyed, random, 12_345, keySpan, 5);
                List<Merge.Run> runs = cut(keyed, rows, random, false);
                List<@Nullable Object[]> expected = resolve(keyed, rows, policy);
                Collected output = new Collected();
                MergeResult result = new Merge(keyed, SMALL).run(runs, policy, IDENTITY, output);
                check(keyed, expected, output);
                assertThat(result.rows()).isEqualTo(expected.size());
                assertThat(result.duplicatesDropped()).isEqualTo(rows.size() - expected.size());
                assertThat(result.rejectedKeys())
                        .containsExactlyElementsOf(
                                policy == DuplicatePolicy.REJECT
                                        ? keysOfSeveral(keyed, rows)
                                        : List.of());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DuplicatePolicy.class,
            names = {"KEEP_FIRST", "KEEP_LAST", "REPLACE"})
    void sumsOfWhatIsWrittenAndWhatIsLeftOutAreThoseOfTheRows(DuplicatePolicy policy) {
        Random random = new Random(28);
        for (TableSchema keyed : List.of(schema, Rows.stringKeySchema())) {
            Merge merge = new Merge(keyed, SMALL.withSums(true));
            for (int keySpan : new int[] {40, 3000, 1 << 20}) {
                List<@Nullable Object[]> rows = Rows.random(keyed, random, 12_345, keySpan, 5);
                List<Merge.Run> runs = cut(keyed, rows, random, false);
                Collected output = new Collected();
                MergeResult result = merge.run(runs, policy, IDENTITY, output);
                List<@Nullable Object[]> expected = resolve(keyed, rows, policy);
                assertThat(result.stored()).isEqualTo(sums(keyed, expected));
                ColumnSums all = result.stored().copy();
                all.add(result.dropped());
                assertThat(all).isEqualTo(sums(keyed, rows));
                for (int i = 0; i < output.summaries.size(); i++) {
                    SegmentChecksum read = new SegmentChecksum(keyed);
                    read.add(open(keyed, output.bytes().get(i)));
                    assertThat(output.summaries.get(i).sums()).isEqualTo(read.sums());
                }
            }
        }
    }

    private static ColumnSums sums(TableSchema keyed, List<@Nullable Object[]> rows) {
        ColumnSums sums = new ColumnSums(keyed.columnCount());
        sums.add(Rows.batch(keyed, rows), new ColumnHashes());
        return sums;
    }

    /** The keys that more than one row has, ascending. */
    private static List<byte[]> keysOfSeveral(TableSchema keyed, List<@Nullable Object[]> rows) {
        List<byte[]> sorted = Rows.keys(keyed, Rows.sorted(keyed, rows));
        List<byte[]> keys = new ArrayList<>();
        for (int i = 1; i < sorted.size(); i++) {
            byte[] key = sorted.get(i);
            boolean again = Arrays.equals(sorted.get(i - 1), key);
            if (again && (keys.isEmpty() || !Arrays.equals(keys.getLast(), key))) {
                keys.add(key);
            }
        }
        return keys;
    }

    @Test
    void theSameRowsGiveTheSameBytesHoweverTheyAreCut() {
        Random random = new Random(22);
        List<@Nullable Object[]> rows = Rows.random(schema, random, 22_222, 3000, 5);
        List<byte[]> expected = null;
        for (int round = 0; round < 8; round++) {
            List<Merge.Run> runs = cut(schema, rows, random, round % 2 == 0);
            MergeLimits limits = SMALL.withUnitRows(100 + random.nextInt(30_000));
            Collected output = new Collected();
            new Merge(schema, limits).run(runs, DuplicatePolicy.KEEP_LAST, IDENTITY, output);
            List<byte[]> segments = output.bytes();
            if (expected == null) {
                expected = segments;
                assertThat(segments).hasSizeGreaterThan(1);
            } else {
                assertSameBytes(output, expected);
            }
        }
    }

    @Test
    void aMergeThatIsUsedAgainWritesWhatANewOneDoes() {
        Random random = new Random(29);
        Merge kept = new Merge(schema, SMALL);
        for (int round = 0; round < 12; round++) {
            int span = round % 3 == 0 ? 3000 : 1 << 25;
            List<@Nullable Object[]> rows =
                    Rows.random(schema, random, 1 + random.nextInt(20_000), span, 5);
            if (round % 2 == 0) {
                rows = resolve(schema, rows, DuplicatePolicy.KEEP_FIRST);
            }
            List<Merge.Run> runs = cut(schema, rows, random, true);
            RegionDictionaries known = new RegionDictionaries(schema);
            runs.forEach(run -> known.add(run.reader()));
            Collected expected = new Collected();
            Merge once = new Merge(schema, SMALL);
            MergeResult first = once.run(runs, DuplicatePolicy.KEEP_FIRST, IDENTITY, expected);
            Collected output = new Collected();
            MergeResult result =
                    kept.run(
                            runs,
                            known,
                            DuplicatePolicy.KEEP_FIRST,
                            IDENTITY,
                            output,
                            MergeThreads.ONE);
            assertSameBytes(output, expected.bytes());
            assertThat(result.rows()).isEqualTo(first.rows());
            assertThat(result.bytes()).isEqualTo(first.bytes());
            assertThat(result.duplicatesDropped()).isEqualTo(first.duplicatesDropped());
            assertThat(result.columns()).isEqualTo(first.columns());
        }
    }

    @Test
    void severalThreadsWriteWhatOneDoes() {
        Random random = new Random(31);
        MergeLimits limits = SMALL.withSums(true);
        Merge helped = new Merge(schema, limits);
        for (int round = 0; round < 12; round++) {
            int span = round % 3 == 0 ? 3000 : 1 << 25;
            List<@Nullable Object[]> rows =
                    Rows.random(schema, random, 1 + random.nextInt(20_000), span, 5);
            if (round % 2 == 0) {
                rows = resolve(schema, rows, DuplicatePolicy.KEEP_LAST);
            }
            List<Merge.Run> runs = cut(schema, rows, random, round % 4 == 0);
            Collected expected = new Collected();
            DuplicatePolicy policy = DuplicatePolicy.KEEP_LAST;
            MergeResult alone = new Merge(schema, limits).run(runs, policy, IDENTITY, expected);
            Collected output = new Collected();
            MergeResult result =
                    helped.run(runs, null, policy, IDENTITY, output, MergeTest::onThreeThreads);
            assertSameBytes(output, expected.bytes());
            assertThat(result.stored()).isEqualTo(alone.stored());
            assertThat(result.dropped()).isEqualTo(alone.dropped());
            assertThat(result.columns()).isEqualTo(alone.columns());
        }
    }

    /** Each of the threads does a part of the work: none begins before the others are there. */
    private static void onThreeThreads(Runnable work) {
        CyclicBarrier all = new CyclicBarrier(3);
        Runnable together =
                () -> {
                    try {
                        all.await();
                    } catch (InterruptedException | BrokenBarrierException e) {
                        throw new IllegalStateException(e);
                    }
                    work.run();
                };
        FutureTask<?> second = new FutureTask<>(together, null);
        FutureTask<?> third = new FutureTask<>(together, null);
        Thread.ofPlatform().start(second);
        Thread.ofPlatform().start(third);
        together.run();
        try {
            second.get();
            third.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nearValuesThatComeInEveryFormHaveOneDictionary() {
        Random random = new Random(30);
        for (long base : new long[] {0, -70_000, Long.MIN_VALUE, Long.MAX_VALUE - 70_000}) {
            for (int span : new int[] {1, 4096, 4097, 65_536, 65_537}) {
                List<@Nullable Object[]> rows = new ArrayList<>();
                for (int i = 0; i < 9000; i++) {
                    int distance = i < 2 ? i * (span - 1) : random.nextInt(span) % 4095;
                    rows.add(new Object[] {(long) i, i % 7 == 3 ? null : base + distance});
                }
                TableSchema near =
                        TableSchema.declare(
                                "near",
                                List.of(
                                        new Column("key", new ColumnType.BigIntType(), false),
                                        new Column("value", new ColumnType.BigIntType(), true)),
                                List.of(new KeyColumn(0, false)));
                Collected output = new Collected();
                new Merge(near, SMALL)
                        .run(
                                cut(near, rows, random, true),
                                DuplicatePolicy.ERROR,
                                IDENTITY,
                                output);
                check(near, rows, output);
                SegmentReader reader = open(near, output.bytes().getFirst());
                assertThat(reader.dictionary(1)).isNotNull();
            }
        }
    }

    @Test
    void mergingInTwoStagesGivesTheSameBytes() {
        Random random = new Random(23);
        List<@Nullable Object[]> rows = Rows.random(schema, random, 15_000, 2000, 5);
        List<Merge.Run> runs = cut(schema, rows, random, true);
        runs.sort(Comparator.comparingLong(Merge.Run::priority));
        Collected direct = new Collected();
        new Merge(schema, SMALL).run(runs, DuplicatePolicy.KEEP_FIRST, IDENTITY, direct);
        List<Merge.Run> merged = new ArrayList<>();
        MergeLimits plain = SMALL.withCompress(false);
        for (int from = 0; from < runs.size(); from += 5) {
            List<Merge.Run> some = runs.subList(from, Math.min(runs.size(), from + 5));
            Collected stage = new Collected();
            new Merge(schema, plain).run(some, DuplicatePolicy.KEEP_FIRST, IDENTITY, stage);
            for (byte[] image : stage.bytes()) {
                merged.add(new Merge.Run(open(schema, image), from));
            }
        }
        Collected staged = new Collected();
        new Merge(schema, SMALL).run(merged, DuplicatePolicy.KEEP_FIRST, IDENTITY, staged);
        assertSameBytes(staged, direct.bytes());
    }

    @Test
    void runsThatFollowEachOtherAreConcatenated() {
        Random random = new Random(24);
        List<@Nullable Object[]> rows =
                resolve(
                        schema,
                        Rows.random(schema, random, 30_000, 1 << 25, 5),
                        DuplicatePolicy.KEEP_FIRST);
        List<Merge.Run> runs = new ArrayList<>();
        for (int from = 0; from < rows.size(); ) {
            int to = Math.min(rows.size(), from + 1 + random.nextInt(5000));
            runs.add(new Merge.Run(fragment(schema, rows.subList(from, to), random, true), from));
            from = to;
        }
        Collected output = new Collected();
        new Merge(schema, MergeLimits.DEFAULT.withUnitRows(9000))
                .run(runs, DuplicatePolicy.ERROR, IDENTITY, output);
        check(schema, rows, output);
        assertThat(output.bytes()).hasSize(1);
    }

    @Test
    void aDuplicateKeyIsNamed() {
        List<@Nullable Object[]> rows = Rows.random(schema, new Random(25), 1, 100, 0);
        rows.getFirst()[0] = 4711L;
        rows.getFirst()[1] = -5L;
        List<Merge.Run> runs =
                List.of(
                        new Merge.Run(fragment(schema, rows, new Random(1), true), 1),
                        new Merge.Run(fragment(schema, rows, new Random(2), true), 2));
        assertThatThrownBy(() ->
                        new Merge(schema, SMALL)
                                .run(runs, DuplicatePolicy.ERROR, IDENTITY, new Collected()))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.DATA))
                .hasMessageContaining("k1=4711, k2=-5");
    }

    @Test
    void rowsMarkedDeletedAreDroppedAfterDuplicatesAreResolved() {
        TableSchema base = Rows.stringKeySchema();
        List<Column> columns = new ArrayList<>(base.columns());
        columns.add(new Column("_deleted", new ColumnType.BooleanType(), false));
        TableSchema marked = new TableSchema("marked", columns, base.key(), false);
        Random random = new Random(26);
        List<@Nullable Object[]> old = Rows.random(base, random, 3000, 300, 5);
        List<@Nullable Object[]> young = Rows.random(marked, random, 3000, 300, 5);
        List<@Nullable Object[]> all = new ArrayList<>();
        for (@Nullable Object[] row : old) {
            @Nullable Object[] extended = Arrays.copyOf(row, 4);
            extended[3] = 0L;
            all.add(extended);
        }
        all.addAll(young);
        List<Merge.Run> runs =
                List.of(
                        new Merge.Run(fragment(base, Rows.sorted(base, old), random, true), 1),
                        new Merge.Run(
                                fragment(marked, Rows.sorted(marked, young), random, true), 2));
        List<@Nullable Object[]> kept = resolve(marked, all, DuplicatePolicy.REPLACE);
        Collected with = new Collected();
        new Merge(marked, SMALL).run(runs, DuplicatePolicy.REPLACE, IDENTITY, with);
        check(marked, kept, with);
        Collected without = new Collected();
        MergeResult result =
                new Merge(base, SMALL.withDropDeletedColumn(3))
                        .run(runs, DuplicatePolicy.REPLACE, IDENTITY, without);
        List<@Nullable Object[]> alive = new ArrayList<>(kept);
        alive.removeIf(row -> Long.valueOf(1).equals(row[3]));
        check(base, alive, without);
        assertThat(result.deletedDropped()).isEqualTo(kept.size() - alive.size()).isPositive();
    }

    @Test
    void aRunThatIsNotInOrderAsItClaimsIsRefused() {
        List<@Nullable Object[]> rows = Rows.random(schema, new Random(29), 9000, 1 << 20, 0);
        Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
        Arrays.fill(choices, Encode.Choice.PACKED);
        List<@Nullable Object[]> sorted = Rows.sorted(schema, rows);
        for (int row = 2000; row < 2900; row++) {
            sorted.set(row + 100 - row % 1024 / 1024, sorted.get(8000 - row));
        }
        ByteBuilder out = new ByteBuilder(0);
        new Encode(schema).run(Rows.batch(schema, sorted), 0, 9000, choices, true, IDENTITY, out);
        assertThatThrownBy(() ->
                        new Merge(schema, SMALL)
                                .run(
                                        List.of(new Merge.Run(open(schema, out.toByteArray()), 0)),
                                        DuplicatePolicy.KEEP_FIRST,
                                        IDENTITY,
                                        new Collected()))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT));
    }

    @Test
    void noRowsMakeNoSegment() {
        Collected output = new Collected();
        MergeResult result =
                new Merge(schema, SMALL).run(List.of(), DuplicatePolicy.ERROR, IDENTITY, output);
        assertThat(result.rows()).isZero();
        assertThat(output.bytes()).isEmpty();
        Merge.Run empty = new Merge.Run(fragment(schema, List.of(), new Random(1), true), 0);
        new Merge(schema, SMALL).run(List.of(empty), DuplicatePolicy.ERROR, IDENTITY, output);
        assertThat(output.bytes()).isEmpty();
    }

    @Test
    void aColumnHasADictionaryIfAndOnlyIfAllInputHasFewDistinctValues() {
        for (int distinct : new int[] {4096, 4097}) {
            TableSchema base = Rows.stringKeySchema();
            List<@Nullable Object[]> rows = new ArrayList<>();
            for (int i = 0; i < 3 * distinct; i++) {
                rows.add(
                        new Object[] {
                            (long) (i % distinct),
                            ("n" + i).getBytes(StandardCharsets.UTF_8),
                            (long) i
                        });
            }
            Random random = new Random(27);
            List<Merge.Run> runs = cut(base, rows, random, true);
            Collected output = new Collected();
            MergeResult result =
                    new Merge(base, MergeLimits.DEFAULT)
                            .run(runs, DuplicatePolicy.ERROR, IDENTITY, output);
            SegmentReader reader = open(base, output.bytes().getFirst());
            assertThat(reader.statistics(0).encoding())
                    .isEqualTo(
                            distinct <= 4096 ? ColumnEncoding.DICTIONARY : ColumnEncoding.PACKED);
            assertThat(result.columns().getFirst().distinct())
                    .isEqualTo(distinct <= 4096 ? distinct : -1);
        }
    }

    @Test
    void wideRowsAreCutIntoBlocksByTheirBytes() {
        TableSchema base = Rows.stringKeySchema();
        TableSchema wide =
                TableSchema.declare(
                        "wide",
                        List.of(
                                base.column(2),
                                new Column("text", new ColumnType.VarcharType(1 << 24), true)),
                        List.of(new KeyColumn(0, false)));
        Random random = new Random(28);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            byte[] text = new byte[random.nextInt(2 << 20)];
            Arrays.fill(text, (byte) ('a' + i % 26));
            rows.add(new Object[] {(long) i, i % 10 == 0 ? null : text});
        }
        List<byte[]> expected = null;
        for (int cuts = 1; cuts < 4; cuts++) {
            List<Merge.Run> runs = interleaved(wide, rows, random, cuts);
            Collected output = new Collected();
            new Merge(wide, MergeLimits.DEFAULT.withUnitRows(10 + 50 * cuts))
                    .run(runs, DuplicatePolicy.ERROR, IDENTITY, output);
            check(wide, rows, output);
            assertThat(open(wide, output.bytes().getFirst()).blockCount()).isGreaterThan(1);
            if (expected == null) {
                expected = output.bytes();
            }
            assertSameBytes(output, expected);
        }
    }

    /**
     * Which blocks are tried depends on those before, but not on how these came. The runs overlap,
     * since of others whole blocks are taken, so that rows end up in other blocks.
     */
    @Test
    void whatIsCompressedDoesNotDependOnHowRowsAreCut() {
        TableSchema texts =
                TableSchema.declare(
                        "texts",
                        List.of(
                                new Column("key", new ColumnType.BigIntType(), false),
                                new Column("text", new ColumnType.VarcharType(20), true)),
                        List.of(new KeyColumn(0, false)));
        Random random = new Random(31);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < 26 * SegmentFormat.BLOCK_ROWS; i++) {
            byte[] text = new byte[10];
            random.nextBytes(text);
            boolean noise = i / SegmentFormat.BLOCK_ROWS * 7 % 10 < 5;
            Arrays.fill(text, noise ? 10 : 3, 10, (byte) 'x');
            rows.add(new Object[] {(long) i, i % 10 == 0 ? null : text});
        }
        MergeLimits limits =
                MergeLimits.DEFAULT.withSegmentRows(20L * SegmentFormat.BLOCK_ROWS + 100);
        List<byte[]> expected = null;
        for (int cuts = 2; cuts < 6; cuts++) {
            List<Merge.Run> runs = interleaved(texts, rows, random, cuts);
            Collected output = new Collected();
            new Merge(texts, limits.withUnitRows(20_000 * cuts))
                    .run(runs, DuplicatePolicy.ERROR, IDENTITY, output);
            check(texts, rows, output);
            if (expected == null) {
                expected = output.bytes();
                // Some of each kind are compressed: all would take less, none more.
                assertThat(expected.getFirst().length).isBetween(1_000_000, 1_650_000);
            }
            assertSameBytes(output, expected);
        }
    }

    /** Fragments that overlap: row i is in fragment {@code i % count}. */
    private static List<Merge.Run> interleaved(
            TableSchema keyed, List<@Nullable Object[]> rows, Random random, int count) {
        List<Merge.Run> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<@Nullable Object[]> part = new ArrayList<>();
            for (int row = i; row < rows.size(); row += count) {
                part.add(rows.get(row));
            }
            runs.add(new Merge.Run(fragment(keyed, part, random, true), i));
        }
        return runs;
    }

    /** Fragments of random sizes and forms, in order of input. */
    private static List<Merge.Run> cut(
            TableSchema keyed, List<@Nullable Object[]> rows, Random random, boolean completeAll) {
        List<Merge.Run> runs = new ArrayList<>();
        int most = 1 + random.nextInt(4000);
        for (int from = 0; from < rows.size(); ) {
            int to = Math.min(rows.size(), from + 1 + random.nextInt(most));
            List<@Nullable Object[]> part = rows.subList(from, to);
            runs.add(new Merge.Run(fragment(keyed, part, random, completeAll), from));
            from = to;
        }
        Collections.shuffle(runs, random);
        return runs;
    }

    /** Rows as a run, by a random way: typed and completed, sorted, or encoded at once. */
    private static SegmentReader fragment(
            TableSchema keyed, List<@Nullable Object[]> rows, Random random, boolean completeAll) {
        ColumnBatch batch = Rows.batch(keyed, rows);
        Encode encode = new Encode(keyed);
        Encode.Choice[] choices = new Encode.Choice[keyed.columnCount()];
        boolean typed = random.nextInt(3) == 0;
        boolean plain = random.nextInt(3) == 0;
        for (int i = 0; i < choices.length; i++) {
            choices[i] = plain ? Encode.Choice.PLAIN : Encode.Choice.values()[random.nextInt(3)];
        }
        ByteBuilder out = new ByteBuilder(0);
        if (!typed) {
            batch = new Sort(keyed).run(batch);
        }
        encode.run(batch, 0, rows.size(), choices, !typed, IDENTITY, out);
        SegmentReader reader = open(keyed, out.toByteArray());
        BitSet plainColumns = new BitSet();
        if (typed || completeAll && !Encode.isComplete(reader, plainColumns)) {
            ByteBuilder completed = new ByteBuilder(0);
            encode.complete(reader, plainColumns, completed);
            reader = open(keyed, completed.toByteArray());
            assertThat(Encode.isComplete(reader, plainColumns)).isTrue();
        }
        return reader;
    }

    private static List<@Nullable Object[]> resolve(
            TableSchema keyed, List<@Nullable Object[]> rows, DuplicatePolicy policy) {
        List<@Nullable Object[]> resolved = new ArrayList<>();
        List<@Nullable Object[]> sorted = Rows.sorted(keyed, rows);
        List<byte[]> keys = Rows.keys(keyed, sorted);
        for (int i = 0; i < sorted.size(); i++) {
            if (i == 0 || !Arrays.equals(keys.get(i - 1), keys.get(i))) {
                resolved.add(sorted.get(i));
            } else if (policy.within() == DuplicatePolicy.Within.KEEP_LAST) {
                resolved.set(resolved.size() - 1, sorted.get(i));
            }
        }
        return resolved;
    }

    private static void check(
            TableSchema keyed, List<@Nullable Object[]> expected, Collected output) {
        int from = 0;
        ColumnBatch batch = ColumnBatch.forColumns(keyed.columns(), 0);
        for (int i = 0; i < output.bytes().size(); i++) {
            SegmentReader reader = open(keyed, output.bytes().get(i));
            int count = (int) reader.rowCount();
            List<@Nullable Object[]> part = expected.subList(from, from + count);
            assertThat(reader.identity()).isEqualTo(IDENTITY.withOrdinal(3 + i));
            assertThat(output.summaries.get(i).rowCount()).isEqualTo(count);
            assertThat(output.summaries.get(i).bytes()).isEqualTo(output.bytes().get(i).length);
            assertThat(output.summaries.get(i).firstKey()).isEqualTo(reader.firstKey());
            assertThat(reader.firstKey()).isEqualTo(Rows.key(keyed, part.getFirst()));
            assertThat(reader.lastKey()).isEqualTo(Rows.key(keyed, part.getLast()));
            for (int entry = 0; entry < reader.keyCount(); entry++) {
                assertThat(reader.indexKey(entry))
                        .isEqualTo(Rows.key(keyed, part.get((int) reader.indexRow(entry))));
            }
            for (int column = 0; column < keyed.columnCount(); column++) {
                batch.column(column).validity().clear();
                int row = 0;
                for (int block = 0; block < reader.blockCount(); block++) {
                    reader.read(column, block, batch.column(column), row);
                    row += reader.blockRows(block);
                }
                assertThat(Rows.values(batch.column(column), count))
                        .isEqualTo(Rows.column(part, column));
            }
            from += count;
        }
        assertThat(from).isEqualTo(expected.size());
    }

    private static void assertSameBytes(Collected output, List<byte[]> expected) {
        assertThat(output.bytes()).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(Arrays.mismatch(output.bytes().get(i), expected.get(i))).isEqualTo(-1);
        }
    }

    /** Every other image is outside of the heap, as mapped files are. */
    private static SegmentReader open(TableSchema keyed, byte[] image) {
        MemorySegment bytes = MemorySegment.ofArray(image);
        if (image.length % 2 == 0) {
            MemorySegment memory = Arena.ofAuto().allocate(image.length);
            bytes = memory.copyFrom(bytes);
        }
        return SegmentReader.open(keyed, bytes, "test");
    }

    private static final class Collected implements Merge.Output {
        private final List<ByteBuilder> builders = new ArrayList<>();
        private final List<SegmentSummary> summaries = new ArrayList<>();

        @Override
        public ByteSink open(int ordinal) {
            assertThat(ordinal).isEqualTo(builders.size());
            builders.add(new ByteBuilder(0));
            return builders.getLast();
        }

        @Override
        public void close(int ordinal, SegmentSummary summary) {
            assertThat(ordinal).isEqualTo(summaries.size());
            summaries.add(summary);
        }

        List<byte[]> bytes() {
            return builders.stream().map(ByteBuilder::toByteArray).toList();
        }
    }
}
