package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
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
        ByteBuilder merged = new ByteBuilder(0);
        new Merge(schema, MergeLimits.DEFAULT)
                .run(
                        List.of(new Merge.Run(open(image(Encode.Choice.PLAIN)), 0)),
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
        refusesEveryDamage(merged.toByteArray());
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
        Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
        Arrays.fill(choices, choice);
        ByteBuilder out = new ByteBuilder(0);
        new Encode(schema)
                .run(
                        Rows.batch(schema, rows),
                        0,
                        rows.size(),
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
