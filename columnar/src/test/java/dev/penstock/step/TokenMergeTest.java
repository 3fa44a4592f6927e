package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenEncoder;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.ColumnEncoding;
import dev.penstock.segment.EncodedBlock;
import dev.penstock.segment.Rows;
import dev.penstock.segment.SegmentChecksum;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentScanner;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.segment.SegmentWriter;
import dev.penstock.segment.TokenBlockEncoder;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Columns of tokens from fragments through merges to readers. */
class TokenMergeTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(1, 2, 3);
    private static final MergeLimits SMALL =
            MergeLimits.DEFAULT.withUnitRows(700).withSegmentRows(10_000);
    private static final int TEXT = 1;
    private static final int NOTE = 2;
    private static final String[] WORDS = {
        "the ",
        "furiously ",
        "deposits. ",
        "sleep ",
        "among ",
        "pinto beans ",
        "Ünïcödé ",
        "final, "
    };

    private final TableSchema schema =
            TableSchema.declare(
                    "notes",
                    List.of(
                            new Column("id", new ColumnType.BigIntType(), false),
                            new Column("text", new ColumnType.VarcharType(400), true),
                            new Column("note", new ColumnType.VarcharType(400), false)),
                    List.of(new KeyColumn(0, false)));
    private final TokenTables tables =
            new TokenTables(Map.of(TEXT, table("the ", "furiously "), NOTE, table(WORDS)));

    @Test
    void theSameRowsGiveTheSameBytesHoweverTheyAreCutAndEncoded() {
        Random random = new Random(31);
        List<@Nullable Object[]> rows = rows(random, 25_000);
        List<byte[]> expected = null;
        for (int round = 0; round < 8; round++) {
            MergeLimits limits = SMALL.withUnitRows(100 + random.nextInt(30_000));
            List<byte[]> segments = merge(limits, tables, cut(rows, random, tables));
            if (expected == null) {
                expected = segments;
                check(rows, segments);
                assertThat(open(segments.get(0)).statistics(TEXT).encoding())
                        .isEqualTo(ColumnEncoding.TOKENS);
            }
            assertSame(segments, expected);
        }
    }

    @Test
    void mergingInTwoStagesGivesTheSameBytes() {
        Random random = new Random(32);
        List<@Nullable Object[]> rows = rows(random, 12_000);
        List<Merge.Run> runs = cut(rows, random, tables);
        List<byte[]> direct = merge(SMALL, tables, runs);
        List<Merge.Run> merged = new ArrayList<>();
        for (int from = 0; from < runs.size(); from += 3) {
            List<Merge.Run> some = runs.subList(from, Math.min(runs.size(), from + 3));
            for (byte[] image : merge(SMALL.withCompress(false), tables, some)) {
                merged.add(new Merge.Run(open(image, tables), from));
            }
        }
        assertSame(merge(SMALL, tables, merged), direct);
    }

    @Test
    void segmentsOfDifferentTablesMergeToThatOfTheLongest() {
        Random random = new Random(33);
        List<@Nullable Object[]> rows = rows(random, 15_000);
        TokenTables others = new TokenTables(Map.of(NOTE, table("pinto ", "beans ")));
        List<@Nullable Object[]> first = Rows.sorted(schema, rows.subList(0, 4000));
        List<@Nullable Object[]> second = Rows.sorted(schema, rows.subList(4000, 15_000));
        List<Merge.Run> runs = new ArrayList<>();
        for (byte[] image : merge(SMALL, others, List.of(run(first, others, false)))) {
            runs.add(new Merge.Run(open(image), 0));
        }
        for (byte[] image :
                merge(MergeLimits.DEFAULT, tables, List.of(run(second, tables, false)))) {
            runs.add(new Merge.Run(open(image), 1));
        }
        List<byte[]> compacted = merge(SMALL, TokenTables.NONE, runs);
        check(rows, compacted);
        assertSame(compacted, merge(SMALL, tables, cut(rows, random, tables)));
    }

    /** Few enough values for a dictionary, unless a string counts once as words, once as bytes. */
    @Test
    void valuesOfRunsInBothFormsAreCountedOnce() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        List<Merge.Run> runs = new ArrayList<>();
        for (int run = 0; run < 6; run++) {
            List<@Nullable Object[]> part = distinct(3000, 0, rows.size());
            rows.addAll(part);
            runs.add(run(part, run % 2 == 0 ? tables : TokenTables.NONE, false));
        }
        byte[] merged = merge(MergeLimits.DEFAULT, tables, runs).getFirst();
        assertThat(open(merged).statistics(NOTE).distinct()).isEqualTo(3000);
        check(rows, List.of(merged));
    }

    @Test
    void runsThatHaveTooManyValuesOnlyTogetherGiveNoDictionary() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        List<Merge.Run> runs = new ArrayList<>();
        for (int run = 0; run < 3; run++) {
            List<@Nullable Object[]> part = distinct(2000, 2000 * run, rows.size());
            rows.addAll(part);
            runs.add(run(part, tables, false));
        }
        byte[] merged = merge(MergeLimits.DEFAULT, tables, runs).getFirst();
        assertThat(open(merged).statistics(NOTE).distinct()).isEqualTo(-1);
        check(rows, List.of(merged));
    }

    /** Rows of different notes that words of a table make up. */
    private static List<@Nullable Object[]> distinct(int count, int first, int firstId) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder note = new StringBuilder();
            for (int left = first + i + 1; left > 0; left /= WORDS.length) {
                note.append(WORDS[left % WORDS.length]);
            }
            byte[] text = note.toString().getBytes(StandardCharsets.UTF_8);
            rows.add(new @Nullable Object[] {(long) firstId + i, null, text});
        }
        return rows;
    }

    @Test
    void wordsThatTheTableDoesNotHaveStayBytes() {
        Random random = new Random(34);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (long id = 0; id < 20_000; id++) {
            byte[] noise = new byte[5 + random.nextInt(20)];
            random.nextBytes(noise);
            byte[] text = id < 9000 ? noise : text(random, 5);
            rows.add(new Object[] {id, noise, text});
        }
        List<byte[]> segments = merge(MergeLimits.DEFAULT, tables, cut(rows, random, tables));
        check(rows, segments);
        SegmentReader reader = open(segments.get(0));
        assertThat(reader.statistics(TEXT).encoding()).isEqualTo(ColumnEncoding.PLAIN);
        assertThat(reader.statistics(NOTE).encoding()).isEqualTo(ColumnEncoding.TOKENS);
        assertThat(reader.tokens(TEXT)).isNull();
    }

    @Test
    void sumsAreThoseOfTheTextThatTokensStandFor() {
        Random random = new Random(36);
        List<@Nullable Object[]> rows = rows(random, 20_000);
        for (boolean compress : new boolean[] {true, false}) {
            MergeLimits limits = MergeLimits.DEFAULT.withSums(true).withCompress(compress);
            ByteBuilder out = new ByteBuilder(0);
            MergeResult result =
                    new Merge(schema, limits, tables)
                            .run(
                                    cut(rows, random, tables),
                                    DuplicatePolicy.ERROR,
                                    new SegmentIdentity(1, 2, 3),
                                    new Merge.Output() {
                                        @Override
                                        public ByteSink open(int ordinal) {
                                            return out;
                                        }

                                        @Override
                                        public void close(int ordinal, SegmentSummary summary) {}
                                    });
            SegmentChecksum expected = new SegmentChecksum(schema);
            expected.add(Rows.batch(schema, rows));
            assertThat(result.stored()).isEqualTo(expected.sums());
        }
    }

    @Test
    void everyWayOfReadingGivesTheRows() {
        Random random = new Random(35);
        List<@Nullable Object[]> rows = rows(random, 20_000);
        byte[] image = merge(MergeLimits.DEFAULT, tables, cut(rows, random, tables)).getFirst();
        List<@Nullable Object[]> sorted = Rows.sorted(schema, rows);
        SegmentChecksum ofTokens = new SegmentChecksum(schema);
        SegmentChecksum ofBatch = new SegmentChecksum(schema);
        ofBatch.add(Rows.batch(schema, rows));
        for (SegmentReader reader : List.of(open(image), mapped(image))) {
            reader.verify();
            BytesColumn one = new BytesColumn(1, 0);
            for (int i = 0; i < 2000; i++) {
                int row = random.nextInt(rows.size());
                one.validity().clear();
                reader.readRow(TEXT, row, one, 0);
                assertThat(Rows.values(one, 1))
                        .containsExactly(Rows.comparable(sorted.get(row)[TEXT]));
            }
            int start = random.nextInt(rows.size() - 100);
            KeyRange range =
                    new KeyRange(
                            Rows.key(schema, sorted.get(start)),
                            Rows.key(schema, sorted.get(start + 100)));
            SegmentScanner scanner =
                    new SegmentScanner(
                            reader, range, new int[] {TEXT, NOTE}, Predicate.ALWAYS, false);
            ColumnBatch batch = ColumnBatch.forColumns(schema.columns().subList(1, 3), 0);
            List<@Nullable Object> found = new ArrayList<>();
            while (scanner.next(batch)) {
                found.addAll(Rows.values(batch.column(0), batch.rowCount()));
            }
            assertThat(found).isEqualTo(Rows.column(sorted.subList(start, start + 100), TEXT));
        }
        ofTokens.add(open(image));
        assertThat(ofTokens.columns()).isEqualTo(ofBatch.columns());
    }

    @Test
    void statisticsBoundTheValues() {
        Random random = new Random(36);
        List<@Nullable Object[]> rows = rows(random, 9000);
        byte[] image = merge(MergeLimits.DEFAULT, tables, cut(rows, random, tables)).getFirst();
        int longest = 0;
        for (@Nullable Object[] row : rows) {
            longest = Math.max(longest, row[TEXT] == null ? 0 : ((byte[]) row[TEXT]).length);
        }
        assertThat(open(image).statistics(TEXT).encoding()).isEqualTo(ColumnEncoding.TOKENS);
        assertThat(open(image).statistics(TEXT).maxLength()).isEqualTo(longest);
        TokenTable table = table("the ", "furiously ");
        assertThat(table.lowestHead('a'))
                .isEqualTo(ByteStrings.orderedHead(new byte[] {'a'}, 0, 1));
    }

    @Test
    void aFragmentNeedsTheTableThatItWasMadeWith() {
        List<@Nullable Object[]> rows = rows(new Random(37), 500);
        ByteBuilder out = new ByteBuilder(0);
        new Encode(schema, tables)
                .run(Rows.batch(schema, rows), 0, 500, choices(false), false, IDENTITY, out);
        byte[] image = out.toByteArray();
        assertThat(open(image, tables).statistics(TEXT).encoding())
                .isEqualTo(ColumnEncoding.TOKENS);
        refused(() -> open(image), "token table");
        TokenTables others = new TokenTables(Map.of(TEXT, table("the "), NOTE, table(WORDS)));
        refused(() -> open(image, others), "column text, token table");
    }

    @Test
    void aDamagedTableIsRefused() {
        List<@Nullable Object[]> rows = rows(new Random(38), 9000);
        byte[] image =
                merge(MergeLimits.DEFAULT, tables, cut(rows, new Random(1), tables)).getFirst();
        byte[] word = "furiously ".getBytes(StandardCharsets.UTF_8);
        int damaged = 0;
        for (int at = 0; at < image.length - word.length; at++) {
            if (Arrays.equals(image, at, at + word.length, word, 0, word.length)) {
                byte[] copy = image.clone();
                copy[at + 3] ^= 4;
                refused(() -> open(copy).verify(), "token table");
                damaged++;
            }
        }
        assertThat(damaged).isEqualTo(2);
    }

    @Test
    void aCodeBeyondTheTableIsRefused() {
        TableSchema one =
                new TableSchema(
                        "one",
                        List.of(new Column("text", new ColumnType.VarcharType(99), false)),
                        List.of(new KeyColumn(0, false)),
                        false);
        TokenTable wide = table(WORDS);
        TokenTable narrow = table(Arrays.copyOf(WORDS, 3));
        BlockEncoder plain = new BlockEncoder();
        TokenColumn codes = new TokenColumn();
        byte[] value = WORDS[7].repeat(3).getBytes(StandardCharsets.UTF_8);
        new TokenEncoder().encode(wide, new int[] {0, value.length}, value, 0, 1, codes, 0);
        ByteBuilder out = new ByteBuilder(0);
        SegmentWriter writer = new SegmentWriter(one, plain);
        writer.begin(out, IDENTITY, false);
        writer.tokens(0, narrow, true);
        writer.beginBlock(1);
        EncodedBlock block =
                new TokenBlockEncoder(plain).run(wide, codes, 0, 1, new long[0], 0, false, out);
        writer.addInPlace(0, block, out);
        writer.finish();
        SegmentReader reader =
                SegmentReader.open(one, MemorySegment.ofArray(out.toByteArray()), "one");
        refused(reader::verify, "has the token 263 of 259");
    }

    private static void refused(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(message);
    }

    private static TokenTable table(String... words) {
        List<byte[]> tokens = new ArrayList<>();
        for (String word : words) {
            tokens.add(word.getBytes(StandardCharsets.UTF_8));
        }
        return new TokenTable(tokens);
    }

    private static List<@Nullable Object[]> rows(Random random, int count) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (long id = 0; id < count; id++) {
            boolean isNull = random.nextInt(10) == 0;
            rows.add(
                    new @Nullable Object[] {
                        id * 3, isNull ? null : text(random, 12), text(random, 9)
                    });
        }
        Collections.shuffle(rows, random);
        return rows;
    }

    private static byte[] text(Random random, int most) {
        StringBuilder text = new StringBuilder();
        for (int words = random.nextInt(most + 1); words > 0; words--) {
            text.append(WORDS[random.nextInt(random.nextInt(WORDS.length) + 1)]);
        }
        if (random.nextInt(20) == 0) {
            text.append(random.nextInt());
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private List<Merge.Run> cut(List<@Nullable Object[]> rows, Random random, TokenTables tokens) {
        List<Merge.Run> runs = new ArrayList<>();
        for (int from = 0; from < rows.size(); ) {
            int to = Math.min(rows.size(), from + 1 + random.nextInt(8000));
            List<@Nullable Object[]> part = Rows.sorted(schema, rows.subList(from, to));
            SegmentReader reader =
                    run(
                                    part,
                                    random.nextInt(3) == 0 ? TokenTables.NONE : tokens,
                                    random.nextBoolean())
                            .reader();
            BitSet plainColumns = new BitSet();
            if (!Encode.isComplete(reader, plainColumns) && random.nextBoolean()) {
                ByteBuilder completed = new ByteBuilder(0);
                new Encode(schema, tokens).complete(reader, plainColumns, completed);
                reader = open(completed.toByteArray(), tokens);
            }
            runs.add(new Merge.Run(reader, from));
            from = to;
        }
        return runs;
    }

    private Merge.Run run(List<@Nullable Object[]> rows, TokenTables tokens, boolean plain) {
        ByteBuilder out = new ByteBuilder(0);
        new Encode(schema, tokens)
                .run(Rows.batch(schema, rows), 0, rows.size(), choices(plain), true, IDENTITY, out);
        return new Merge.Run(open(out.toByteArray(), tokens), 0);
    }

    private Encode.Choice[] choices(boolean plain) {
        Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
        Arrays.fill(choices, plain ? Encode.Choice.PLAIN : Encode.Choice.DICTIONARY);
        return choices;
    }

    private List<byte[]> merge(MergeLimits limits, TokenTables tokens, List<Merge.Run> runs) {
        List<ByteBuilder> builders = new ArrayList<>();
        new Merge(schema, limits, tokens)
                .run(
                        runs,
                        DuplicatePolicy.ERROR,
                        IDENTITY,
                        new Merge.Output() {
                            @Override
                            public ByteSink open(int ordinal) {
                                builders.add(new ByteBuilder(0));
                                return builders.getLast();
                            }

                            @Override
                            public void close(int ordinal, SegmentSummary summary) {}
                        });
        return builders.stream().map(ByteBuilder::toByteArray).toList();
    }

    private void check(List<@Nullable Object[]> rows, List<byte[]> segments) {
        List<@Nullable Object[]> sorted = Rows.sorted(schema, rows);
        int from = 0;
        for (byte[] segment : segments) {
            SegmentReader reader = open(segment);
            ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 0);
            for (int column = 0; column < schema.columnCount(); column++) {
                for (int block = 0; block < reader.blockCount(); block++) {
                    int row = (int) reader.blockStartRow(block);
                    reader.read(column, block, batch.column(column), row);
                }
                int count = (int) reader.rowCount();
                assertThat(Rows.values(batch.column(column), count))
                        .isEqualTo(Rows.column(sorted.subList(from, from + count), column));
            }
            from += (int) reader.rowCount();
        }
        assertThat(from).isEqualTo(rows.size());
    }

    private static void assertSame(List<byte[]> segments, List<byte[]> expected) {
        assertThat(segments).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(Arrays.mismatch(segments.get(i), expected.get(i))).isEqualTo(-1);
        }
    }

    private SegmentReader open(byte[] image) {
        return open(image, TokenTables.NONE);
    }

    private SegmentReader open(byte[] image, TokenTables tokens) {
        MemorySegment bytes = MemorySegment.ofArray(image);
        if (image.length % 2 == 0) {
            bytes = Arena.ofAuto().allocate(image.length).copyFrom(bytes);
        }
        return SegmentReader.open(schema, bytes, "test", tokens);
    }

    private SegmentReader mapped(byte[] image) {
        MemorySegment memory = Arena.ofAuto().allocate(image.length);
        return SegmentReader.open(schema, memory.copyFrom(MemorySegment.ofArray(image)), "test");
    }
}
