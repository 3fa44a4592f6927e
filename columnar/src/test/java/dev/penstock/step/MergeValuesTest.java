package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.dict.Dictionary;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.EncodedBlock;
import dev.penstock.segment.Rows;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.segment.SegmentWriter;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The dictionary of values near each other that come in packed blocks, as dates do. */
class MergeValuesTest {
    private static final ColumnType BIGINT = new ColumnType.BigIntType();
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(1, 2, 3);
    private static final MergeLimits SMALL = MergeLimits.DEFAULT.withUnitRows(700);

    private static final TableSchema NEAR =
            TableSchema.declare(
                    "near",
                    List.of(
                            new Column("key", new ColumnType.BigIntType(), false),
                            new Column("value", new ColumnType.BigIntType(), true)),
                    List.of(new KeyColumn(0, false)));

    /** The outermost values are rare, and one in the midst may not occur. */
    @Test
    void valuesThatFewBlocksHaveAreInTheDictionary() {
        Random random = new Random(31);
        for (int round = 0; round < 40; round++) {
            int span = 20 + random.nextInt(400);
            int hole = round % 2 == 0 ? -1 : random.nextInt(span);
            List<@Nullable Object[]> rows = new ArrayList<>();
            Set<Long> values = new HashSet<>();
            for (int i = 0; i < 9000; i++) {
                int distance = random.nextInt(span) + random.nextInt(span);
                boolean none = i % 50 == 3 || distance == hole || i / 100 == 7;
                rows.add(new Object[] {(long) i, none ? null : distance - 300L});
                if (!none) {
                    values.add(distance - 300L);
                }
            }
            List<Merge.Run> runs = round % 3 == 0 ? apart(rows, random) : among(rows, random);
            SegmentReader merged = merge(runs);
            Dictionary found = merged.dictionary(1);
            assertThat(found).isNotNull().extracting(Dictionary::size).isEqualTo(values.size());
            ColumnBatch batch = ColumnBatch.forColumns(NEAR.columns(), 0);
            int row = 0;
            for (int block = 0; block < merged.blockCount(); block++) {
                merged.read(1, block, batch.column(1), row);
                row += merged.blockRows(block);
            }
            assertThat(Rows.values(batch.column(1), row)).isEqualTo(Rows.column(rows, 1));
        }
    }

    /** A block that is not read for the dictionary, for what its run says of it. */
    @Test
    void aRunWithValuesThatItSaysItHasNotIsRefused() {
        long[] values = new long[200];
        Arrays.setAll(values, i -> i);
        Merge.Run all = run(values, 0, 199);
        long[] others = {5, 7, 250, 9};
        Dictionary found = merge(List.of(all, run(others, 1000, 250))).dictionary(1);
        assertThat(found).isNotNull().extracting(Dictionary::size).isEqualTo(201);
        assertThatThrownBy(() -> merge(List.of(all, run(others, 1000, 150))))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT))
                .hasMessageContaining("column value");
    }

    private static SegmentReader merge(List<Merge.Run> runs) {
        ByteBuilder out = new ByteBuilder(0);
        Merge.Output output =
                new Merge.Output() {
                    @Override
                    public ByteSink open(int ordinal) {
                        return out;
                    }

                    @Override
                    public void close(int ordinal, SegmentSummary summary) {
                        assertThat(ordinal).isZero();
                    }
                };
        new Merge(NEAR, SMALL).run(runs, DuplicatePolicy.ERROR, IDENTITY, output);
        return open(out);
    }

    /** Runs that follow each other. */
    private static List<Merge.Run> apart(List<@Nullable Object[]> rows, Random random) {
        List<Merge.Run> runs = new ArrayList<>();
        for (int from = 0; from < rows.size(); ) {
            int to = Math.min(rows.size(), from + 1 + random.nextInt(500));
            runs.add(packed(rows.subList(from, to), runs.size()));
            from = to;
        }
        return runs;
    }

    /** Runs that all have some rows of each part of the keys. */
    private static List<Merge.Run> among(List<@Nullable Object[]> rows, Random random) {
        int[] partOf = new int[rows.size()];
        Arrays.setAll(partOf, row -> random.nextInt(30));
        List<Merge.Run> runs = new ArrayList<>();
        for (int part = 0; part < 30; part++) {
            List<@Nullable Object[]> own = new ArrayList<>();
            for (int row = 0; row < rows.size(); row++) {
                if (partOf[row] == part) {
                    own.add(rows.get(row));
                }
            }
            runs.add(packed(own, part));
        }
        return runs;
    }

    private static Merge.Run packed(List<@Nullable Object[]> rows, long priority) {
        Encode.Choice[] choices = {Encode.Choice.PACKED, Encode.Choice.PACKED};
        ByteBuilder out = new ByteBuilder(0);
        ColumnBatch batch = Rows.batch(NEAR, rows);
        new Encode(NEAR).run(batch, 0, rows.size(), choices, true, IDENTITY, out);
        return new Merge.Run(open(out), priority);
    }

    /** A run of one block, whose footer has {@code max} as its values' greatest. */
    private static Merge.Run run(long[] values, long firstKey, long max) {
        int rows = values.length;
        List<@Nullable Object[]> keyed = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            keyed.add(new Object[] {firstKey + i, values[i]});
        }
        ColumnBatch batch = Rows.batch(NEAR, keyed);
        BlockEncoder encoder = new BlockEncoder();
        SegmentWriter writer = new SegmentWriter(NEAR, encoder);
        ByteBuilder out = new ByteBuilder(0);
        writer.begin(out, IDENTITY, true);
        writer.beginBlock(rows);
        for (int column = 0; column < 2; column++) {
            long[] source = batch.longs(column).values();
            EncodedBlock block = encoder.longs(source, 0, rows, new long[0], 0, BIGINT, true, out);
            byte encoding = block.encoding();
            long said = column == 1 ? max : block.max();
            EncodedBlock claimed =
                    new EncodedBlock(encoding, block.length(), 0, 0, block.min(), said);
            writer.addInPlace(column, claimed, out);
            writer.complete(column);
        }
        for (int row : new int[] {0, rows - 1}) {
            byte[] key = Rows.key(NEAR, keyed.get(row));
            writer.addKey(key, 0, key.length);
        }
        writer.finish();
        return new Merge.Run(open(out), firstKey);
    }

    private static SegmentReader open(ByteBuilder image) {
        return SegmentReader.open(NEAR, MemorySegment.ofArray(image.toByteArray()), "a run");
    }
}
