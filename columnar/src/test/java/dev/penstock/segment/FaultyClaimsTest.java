package dev.penstock.segment;

import static dev.penstock.segment.FaultySegments.refused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Segments whose checksums are right and that claim more, or less, than they hold: memory is
 * reckoned by what they say.
 */
final class FaultyClaimsTest {
    private static final ColumnType BIGINT = new ColumnType.BigIntType();
    private static final int BLOCK_BYTES = SegmentFormat.BLOCK_BYTES;

    private static final TableSchema STRINGS =
            TableSchema.declare(
                    "t",
                    List.of(new Column("s", new ColumnType.VarcharType(100), false)),
                    List.of(new KeyColumn(0, false)));
    private static final TableSchema LONGS =
            TableSchema.declare(
                    "t",
                    List.of(new Column("a", new ColumnType.BigIntType(), false)),
                    List.of(new KeyColumn(0, false)));

    private final BlockCursor cursor = new BlockCursor();

    // Byte strings

    @Test
    void a_compressed_block_of_two_rows_that_says_it_has_more_than_blocks_may_is_refused() {
        SegmentReader full = compressed(2, BLOCK_BYTES / 2);
        cursor.open(full, 0, 0);
        SegmentReader more = compressed(2, BLOCK_BYTES / 2 + 1);
        refused(() -> cursor.open(more, 0, 0), "more bytes than a block of more than one row may");
    }

    @Test
    void one_of_a_single_row_is_not() {
        SegmentReader one = compressed(1, BLOCK_BYTES + 1);
        cursor.open(one, 0, 0);
        assertThat(cursor.dataLength).isEqualTo(BLOCK_BYTES + 1);
    }

    /** Rows of the same length, whose bytes are never decompressed here. */
    private static SegmentReader compressed(int rows, int length) {
        ByteBuilder block = new ByteBuilder(64);
        int compressed = BLOCK_BYTES / 200;
        block.putInt(length).putByte(0).putInt(rows * length).putInt(compressed);
        block.write(new byte[compressed], 0, compressed);
        EncodedBlock encoded =
                new EncodedBlock(SegmentFormat.BLOCK_BYTES_LZ4, block.length(), 0, length, 0, 0);
        return open(STRINGS, image(STRINGS, rows, encoded, block));
    }

    @Test
    void no_block_of_two_rows_is_made_that_nobody_would_read() {
        byte[] data = new byte[BLOCK_BYTES + 64];
        int[] offsets = {0, BLOCK_BYTES, BLOCK_BYTES + 1};
        BlockEncoder encoder = new BlockEncoder();
        assertThatThrownBy(() ->
                        encoder.bytes(
                                offsets, data, 0, 2, new long[0], 0, true, new ByteBuilder(64)))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("would have " + (BLOCK_BYTES + 1) + " bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void a_longest_string_shorter_than_the_block_has_is_refused(int claimed) {
        SegmentReader reader = strings(claimed);
        refused(() -> cursor.open(reader, 0, 0), "longer byte strings than its segment says");
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 100})
    void a_longest_string_that_the_block_may_have_is_not(int claimed) {
        cursor.open(strings(claimed), 0, 0);
        assertThat(cursor.rows()).isEqualTo(3);
    }

    /** Of 6 to 9 bytes. */
    private static SegmentReader strings(int claimedLength) {
        byte[] data = "sixsixeighteigninebytes_".getBytes(StandardCharsets.US_ASCII);
        int[] offsets = {0, 6, 14, 23};
        ByteBuilder block = new ByteBuilder(64);
        EncodedBlock encoded =
                new BlockEncoder().bytes(offsets, data, 0, 3, new long[0], 0, false, block);
        EncodedBlock claimed =
                new EncodedBlock(
                        encoded.encoding(),
                        encoded.length(),
                        0,
                        claimedLength,
                        encoded.min(),
                        encoded.max());
        return open(STRINGS, image(STRINGS, 3, claimed, block));
    }

    // The footer

    @ParameterizedTest
    @CsvSource({"2, 1, '1 NULLs, and others'", "2, -1, -1 NULLs", "10, -1, -1 bytes"})
    void what_cannot_be_said_of_a_column_is_refused(int at, long claimed, String why) {
        byte[] image = longs(1);
        ByteAccess.putLong(image, footerAt(image) + 24 + at, claimed);
        refused(() -> open(LONGS, sealed(image)), why);
    }

    @Test
    void more_bytes_of_a_column_than_the_segment_has_are_refused() {
        byte[] image = longs(1);
        int footer = footerAt(image);
        ByteAccess.putLong(image, footer + 24 + 10, footer + 1);
        refused(() -> open(LONGS, sealed(image)), footer + 1 + " bytes in column a");
    }

    @ParameterizedTest
    @CsvSource({"-1, 3", "33554433, 3", "-1, 1"})
    void a_longest_string_that_no_block_may_have_is_refused(int claimed, int rows) {
        refused(() -> longest(claimed, rows), "byte strings of " + claimed + " bytes");
    }

    @ParameterizedTest
    @CsvSource({"33554432, 3", "33554433, 1"})
    void one_that_a_block_may_have_is_not(int claimed, int rows) {
        assertThat(longest(claimed, rows).statistics(0).maxLength()).isEqualTo(claimed);
    }

    private static SegmentReader longest(int claimed, int rows) {
        ByteBuilder block = new ByteBuilder(64);
        block.putInt(0).putByte(0).putInt(0);
        EncodedBlock encoded =
                new EncodedBlock(SegmentFormat.BLOCK_BYTES_PLAIN, block.length(), 0, claimed, 0, 0);
        byte[] image = image(STRINGS, rows, encoded, block);
        ByteAccess.putInt(image, footerAt(image) + 24 + 18, claimed);
        return open(STRINGS, sealed(image));
    }

    /** Else a few bytes would stand for very many rows. */
    @Test
    void two_blocks_at_the_same_place_are_refused() {
        byte[] both = longs(2);
        assertThat(open(LONGS, both).rowCount()).isEqualTo(6);
        int length = open(LONGS, both).table(0).length(0);
        int second = SegmentFormat.HEADER_BYTES + length;
        byte[] image = new byte[both.length - length];
        System.arraycopy(both, 0, image, 0, second);
        System.arraycopy(both, second + length, image, second, image.length - second);
        int footer = second;
        ByteAccess.putLong(image, image.length - SegmentFormat.TRAILER_BYTES, footer);
        int references = footer + 28 + 22 + 16 + 4;
        int offset = references + SegmentFormat.BLOCK_REFERENCE_BYTES + 1;
        assertThat(ByteAccess.getLong(image, offset)).isEqualTo(second);
        ByteAccess.putLong(image, offset, SegmentFormat.HEADER_BYTES);
        ByteAccess.putLong(image, footer + 28 + 10, length);
        refused(() -> open(LONGS, sealed(image)), "more bytes in blocks than there are");
    }

    /** Blocks of three values each. */
    private static byte[] longs(int blocks) {
        ByteBuilder out = new ByteBuilder(1024);
        SegmentWriter writer = new SegmentWriter(LONGS, new BlockEncoder());
        writer.begin(out, new SegmentIdentity(0, 0, 0), false);
        for (int i = 0; i < blocks; i++) {
            ByteBuilder block = new ByteBuilder(64);
            EncodedBlock encoded =
                    new BlockEncoder()
                            .longs(
                                    new long[] {100, 142, 163},
                                    0,
                                    3,
                                    new long[0],
                                    0,
                                    BIGINT,
                                    true,
                                    block);
            writer.beginBlock(3);
            writer.add(0, encoded, block.array(), 0);
        }
        writer.finish();
        return out.toByteArray();
    }

    private static byte[] image(
            TableSchema schema, int rows, EncodedBlock encoded, ByteBuilder block) {
        ByteBuilder out = new ByteBuilder(1024);
        SegmentWriter writer = new SegmentWriter(schema, new BlockEncoder());
        writer.begin(out, new SegmentIdentity(0, 0, 0), false);
        writer.beginBlock(rows);
        writer.add(0, encoded, block.array(), 0);
        writer.finish();
        return out.toByteArray();
    }

    private static SegmentReader open(TableSchema schema, byte[] image) {
        return SegmentReader.open(schema, MemorySegment.ofArray(image), "faulty");
    }

    private static int footerAt(byte[] image) {
        return (int) ByteAccess.getLong(image, image.length - SegmentFormat.TRAILER_BYTES);
    }

    /** Makes the checksums of footer and trailer right. */
    private static byte[] sealed(byte[] image) {
        int trailer = image.length - SegmentFormat.TRAILER_BYTES;
        int length = ByteAccess.getInt(image, trailer + 8);
        BlockChecksum checksum = new BlockChecksum();
        ByteAccess.putInt(image, trailer + 12, checksum.of(image, footerAt(image), length));
        ByteAccess.putInt(image, trailer + 20, checksum.of(image, trailer, 20));
        return image;
    }
}
