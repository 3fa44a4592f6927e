package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Encode;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class SegmentCorruptionTest {
    private final TableSchema schema = Rows.wideSchema();
    private final List<@Nullable Object[]> rows =
            Rows.sorted(schema, Rows.random(schema, new Random(41), 150, 1 << 20, 10));

    @ParameterizedTest
    @EnumSource(Encode.Choice.class)
    void everyDamagedByteIsRefused(Encode.Choice choice) {
        refusesEveryDamage(image(choice));
    }

    @Test
    void everyDamagedByteOfACompressedSegmentIsRefused() {
        refusesEveryDamage(merge(schema, open(image(Encode.Choice.PLAIN))).toByteArray());
    }

    private static ByteBuilder merge(TableSchema table, SegmentReader reader) {
        ByteBuilder merged = new ByteBuilder(0);
        new Merge(table, MergeLimits.DEFAULT)
                .run(
                        List.of(new Merge.Run(reader, 0)),
                        DuplicatePolicy.KEEP_FIRST,
                        new SegmentIdentity(0, 0, 0),
                        new Merge.Output() {
                            @Override
                            public ByteBuilder open(int ordinal) {
                                return merged;
                            }

                            @Override
                            public void close(int ordinal, SegmentSummary summary) {}
                        });
        return merged;
    }

    private void refusesEveryDamage(byte[] image) {
        Random random = new Random(42);
        readAll(image);
        for (int i = 0; i < image.length; i++) {
            byte[] damaged = image.clone();
            damaged[i] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> readAll(damaged))
                    .as("byte %s of %s", i, image.length)
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT))
                    .hasMessageContaining("segment-7");
        }
    }

    @Test
    void everyTruncationIsRefused() {
        byte[] image = image(Encode.Choice.DICTIONARY);
        for (int length = 0; length < image.length; length++) {
            byte[] cut = Arrays.copyOf(image, length);
            assertThatThrownBy(() -> readAll(cut)).isInstanceOf(PenstockException.class);
        }
    }

    @Test
    void aBlockFromAnotherPlaceIsRefused() {
        ByteBuilder out = new ByteBuilder(0);
        List<@Nullable Object[]> many = new ArrayList<>();
        for (long i = 0; i < 3 * SegmentFormat.BLOCK_ROWS; i++) {
            many.add(new Object[] {1L, new byte[] {1}, i % SegmentFormat.BLOCK_ROWS});
        }
        TableSchema strings = Rows.stringKeySchema();
        Encode.Choice[] choices = new Encode.Choice[3];
        Arrays.fill(choices, Encode.Choice.PLAIN);
        new Encode(strings)
                .run(
                        Rows.batch(strings, many),
                        0,
                        many.size(),
                        choices,
                        false,
                        new SegmentIdentity(0, 0, 0),
                        out);
        SegmentReader reader =
                SegmentReader.open(strings, MemorySegment.ofArray(out.toByteArray()), "s");
        BlockTable table = reader.table(2);
        assertThat(table.length(0)).isEqualTo(table.length(1));
        assertThat(table.checksum(0)).isNotEqualTo(table.checksum(1));
    }

    @Test
    void theMessageNamesSegmentColumnAndBlock() {
        byte[] image = image(Encode.Choice.PACKED);
        SegmentReader reader = open(image);
        image[(int) reader.table(3).offset(0)] ^= 1;
        assertThatThrownBy(reader::verify)
                .hasMessage("segment-7: column small, block 0 does not match its checksum");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void versionsThatAreKnownAreRead(int version) {
        byte[] image = image(Encode.Choice.PLAIN);
        claimVersion(image, version);
        readAll(image);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, -1})
    void otherVersionsAreRefused(int version) {
        byte[] image = image(Encode.Choice.PLAIN);
        claimVersion(image, version);
        assertThatThrownBy(() -> open(image))
                .hasMessage(
                        "segment-7 has format version "
                                + version
                                + "; this program reads versions 2 to 3");
    }

    @Test
    void theOldestVersionHasNoScaledBlocks() {
        List<@Nullable Object[]> many = Rows.random(schema, new Random(8), 3000, 1 << 20, 0);
        byte[] image = image(Rows.sorted(schema, many), Encode.Choice.PACKED);
        readAll(image);
        claimVersion(image, 2);
        assertThatThrownBy(() -> open(image)).hasMessageContaining("has block encoding 1");
    }

    /** Else what is stored would depend on when it was. */
    @Test
    void blocksOfTheOldestVersionAreNotTakenAsTheyAre() {
        TableSchema prices =
                TableSchema.declare(
                        "prices",
                        List.of(
                                new Column("key", new ColumnType.BigIntType(), false),
                                new Column("price", new ColumnType.DoubleType(), false)),
                        List.of(new KeyColumn(0, false)));
        byte[] image = unscaled(prices);
        assertThat(merged(prices, image).table(1).encoding(0))
                .isEqualTo(SegmentFormat.BLOCK_PACKED);
        claimVersion(image, 2);
        assertThat(merged(prices, image).table(1).encoding(0))
                .isEqualTo(SegmentFormat.BLOCK_DECIMALS);
    }

    /** A block of each column, as there were no scaled ones. */
    private static byte[] unscaled(TableSchema prices) {
        List<@Nullable Object[]> all = new ArrayList<>();
        for (int row = 0; row < SegmentFormat.BLOCK_ROWS; row++) {
            all.add(new Object[] {(long) row, FloatOrder.toOrdered((10_000 + row) / 100.0)});
        }
        ByteBuilder out = new ByteBuilder(0);
        BlockEncoder encoder = new BlockEncoder();
        SegmentWriter writer = new SegmentWriter(prices, encoder);
        writer.begin(out, new SegmentIdentity(1, 2, 3), true);
        writer.beginBlock(all.size());
        ColumnBatch batch = Rows.batch(prices, all);
        for (int column = 0; column < 2; column++) {
            long[] values = batch.longs(column).values();
            ColumnType type = new ColumnType.BigIntType();
            EncodedBlock block =
                    encoder.longs(values, 0, all.size(), new long[0], 0, type, true, out);
            writer.addInPlace(column, block, out);
        }
        for (int row = 0; row < all.size(); row += SegmentFormat.KEY_INDEX_ROWS) {
            addKey(writer, prices, all.get(row));
        }
        addKey(writer, prices, all.getLast());
        writer.finish();
        return out.toByteArray();
    }

    private static void addKey(SegmentWriter writer, TableSchema prices, @Nullable Object[] row) {
        byte[] key = Rows.key(prices, row);
        writer.addKey(key, 0, key.length);
    }

    private static SegmentReader merged(TableSchema prices, byte[] image) {
        SegmentReader reader = SegmentReader.open(prices, MemorySegment.ofArray(image), "s");
        ByteBuilder merged = merge(prices, reader);
        return SegmentReader.open(prices, MemorySegment.ofArray(merged.toByteArray()), "merged");
    }

    private static void claimVersion(byte[] image, int version) {
        BlockChecksum checksum = new BlockChecksum();
        ByteAccess.putInt(image, 8, version);
        ByteAccess.putInt(image, 36, checksum.of(image, 0, 36));
        int trailer = image.length - SegmentFormat.TRAILER_BYTES;
        ByteAccess.putInt(image, trailer + 16, version);
        ByteAccess.putInt(image, trailer + 20, checksum.of(image, trailer, 20));
    }

    @Test
    void anotherTablesSegmentIsRefused() {
        byte[] image = image(Encode.Choice.PACKED);
        assertThatThrownBy(() ->
                        SegmentReader.open(
                                Rows.stringKeySchema(), MemorySegment.ofArray(image), "x"))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("other columns");
    }

    private byte[] image(Encode.Choice choice) {
        return image(rows, choice);
    }

    private byte[] image(List<@Nullable Object[]> some, Encode.Choice choice) {
        Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
        Arrays.fill(choices, choice);
        ByteBuilder out = new ByteBuilder(0);
        new Encode(schema)
                .run(
                        Rows.batch(schema, some),
                        0,
                        some.size(),
                        choices,
                        true,
                        new SegmentIdentity(1, 2, 3),
                        out);
        return out.toByteArray();
    }

    private SegmentReader open(byte[] image) {
        return SegmentReader.open(schema, MemorySegment.ofArray(image), "segment-7");
    }

    private void readAll(byte[] image) {
        SegmentReader reader = open(image);
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 0);
        for (int column = 0; column < schema.columnCount(); column++) {
            for (int block = 0; block < reader.blockCount(); block++) {
                reader.read(column, block, batch.column(column), 0);
            }
            if (reader.dictionary(column) != null) {
                assertThat(reader.statistics(column).distinct()).isNotNegative();
            }
        }
    }
}
