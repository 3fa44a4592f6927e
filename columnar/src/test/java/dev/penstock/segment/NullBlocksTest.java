package dev.penstock.segment;

import static dev.penstock.segment.FaultySegments.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Blocks of three rows whose checksums are right and whose NULLs are not. */
class NullBlocksTest {
    private static final ColumnType BIGINT = new ColumnType.BigIntType();
    private static final TableSchema SCHEMA =
            TableSchema.declare(
                    "t",
                    List.of(
                            new Column("k", new ColumnType.BigIntType(), false),
                            new Column("a", new ColumnType.BigIntType(), true)),
                    List.of(new KeyColumn(0, false)));
    private static final int ROWS = 3;

    private final BlockCursor cursor = new BlockCursor();
    private final ByteBuilder bytes = new ByteBuilder(64);

    private EncodedBlock encoded(long validity) {
        long[] values = {100, 142, 163};
        long[] words = {validity};
        return new BlockEncoder().longs(values, 0, ROWS, words, 0, BIGINT, true, bytes);
    }

    @Test
    void boundsOfABlockWithoutValuesAreRefused() {
        EncodedBlock block = encoded(0);
        refused(() -> segment(block, 3, 7), "bounds of a block without values in column a");
        refused(() -> segment(block, 0, 0), "bounds of a block without values in column a");
        cursor.open(segment(block, block.min(), block.max()), 1, 0);
        assertThat(cursor.nullCount()).isEqualTo(ROWS);
    }

    /** The smallest value, and the bits of a distance. */
    @ParameterizedTest
    @ValueSource(ints = {0, 7, 8})
    void whatABlockSaysOfNoValuesIsAlwaysTheSame(int at) {
        EncodedBlock block = encoded(0);
        assertThat(block.length()).isEqualTo(9);
        bytes.array()[at] = 1;
        SegmentReader reader = segment(block, block.min(), block.max());
        refused(() -> cursor.open(reader, 1, 0), "of values that it does not have");
    }

    @Test
    void noValuesAreNotScaled() {
        bytes.reserve(Scale.HEADER_BYTES);
        bytes.array()[0] = 1;
        EncodedBlock none = encodedAs(SegmentFormat.BLOCK_MULTIPLES);
        SegmentReader reader = segment(none, none.min(), none.max());
        refused(() -> cursor.open(reader, 1, 0), "of values that it does not have");
    }

    private static EncodedBlock encodedAs(byte encoding) {
        return new EncodedBlock(
                encoding, Scale.HEADER_BYTES, ROWS, 0, Long.MAX_VALUE, Long.MIN_VALUE);
    }

    /** The second row is NULL: none, too many, another number that way, and one beyond the rows. */
    @ParameterizedTest
    @ValueSource(longs = {0b111, 0b001, 0, 0b1101, 0b11000, -1})
    void validityThatDoesNotMatchTheNullsIsRefused(long word) {
        EncodedBlock block = encoded(0b101);
        ByteAccess.putLong(bytes.array(), 0, word);
        SegmentReader reader = segment(block, block.min(), block.max());
        refused(() -> cursor.open(reader, 1, 0), "validity bits that do not match its NULLs");
    }

    @Test
    void validityThatMatchesIsNot() {
        EncodedBlock block = encoded(0b101);
        cursor.open(segment(block, block.min(), block.max()), 1, 0);
        long[] values = new long[ROWS];
        cursor.longs(0, ROWS, values, 0);
        assertThat(values).containsExactly(100, 0, 163);
    }

    private SegmentReader segment(EncodedBlock block, long min, long max) {
        ByteBuilder keys = new ByteBuilder(64);
        EncodedBlock key =
                new BlockEncoder()
                        .longs(new long[] {1, 2, 3}, 0, ROWS, new long[0], 0, BIGINT, true, keys);
        ByteBuilder out = new ByteBuilder(1024);
        SegmentWriter writer = new SegmentWriter(SCHEMA, new BlockEncoder());
        writer.begin(out, new SegmentIdentity(0, 0, 0), false);
        writer.beginBlock(ROWS);
        writer.add(0, key, keys.array(), 0);
        EncodedBlock claimed =
                new EncodedBlock(block.encoding(), block.length(), block.nullCount(), 0, min, max);
        writer.add(1, claimed, bytes.array(), 0);
        writer.finish();
        return SegmentReader.open(SCHEMA, MemorySegment.ofArray(out.toByteArray()), "faulty");
    }
}
