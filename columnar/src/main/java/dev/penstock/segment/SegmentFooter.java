package dev.penstock.segment;

import dev.penstock.bytes.ByteParser;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.error.PenstockException;
import dev.penstock.predicate.Literal;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Header, footer and trailer of a segment, read and checked as a whole. Immutable. */
final class SegmentFooter {
    static final ValueLayout.OfLong LONG_LE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /**
     * Where a token table is.
     *
     * @param offset 0 if it is not in the segment
     */
    record TokenPlace(long fingerprint, long offset, int length, int checksum) {}

    private final String name;
    private final TableSchema schema;
    private final SegmentIdentity identity;
    private final boolean sorted;
    private final long footerAt;
    private final long rowCount;
    private final int blockCount;
    private final long[] blockStarts;
    private final BlockTable[] tables;
    private final ColumnStatistics[] statistics;
    private final int[] dictionaryEntries;
    private final long[] dictionaryOffsets;
    private final int[] dictionaryLengths;
    private final int[] dictionaryChecksums;
    private final @Nullable TokenPlace[] tokens;
    private final byte[][] keys;
    private final long[] keyRows;

    static SegmentFooter parse(TableSchema schema, MemorySegment bytes, String name) {
        return new SegmentFooter(schema, bytes, name);
    }

    private SegmentFooter(TableSchema schema, MemorySegment bytes, String name) {
        this.schema = schema;
        this.name = name;
        if (bytes.byteSize() < SegmentFormat.HEADER_BYTES + SegmentFormat.TRAILER_BYTES) {
            throw corrupt("is too short for a segment");
        }
        BlockChecksum checksum = new BlockChecksum();
        byte[] header = copy(bytes, 0, SegmentFormat.HEADER_BYTES);
        ByteParser parser = new ByteParser(header, name + ": header");
        if (parser.getLong() != SegmentFormat.MAGIC) {
            throw corrupt("does not begin as a segment");
        }
        checkVersion(parser.getInt());
        int flags = parser.getInt();
        identity = new SegmentIdentity(parser.getLong(), parser.getLong(), parser.getInt());
        int headerLength = parser.position();
        if (parser.getInt() != checksum.of(header, 0, headerLength)
                || (flags & ~SegmentFormat.FLAG_SORTED) != 0) {
            throw corrupt("has a header that does not match its checksum");
        }
        sorted = (flags & SegmentFormat.FLAG_SORTED) != 0;

        long trailerAt = bytes.byteSize() - SegmentFormat.TRAILER_BYTES;
        byte[] trailer = copy(bytes, trailerAt, SegmentFormat.TRAILER_BYTES);
        parser = new ByteParser(trailer, name + ": trailer");
        footerAt = parser.getLong();
        int footerLength = parser.getInt();
        int footerChecksum = parser.getInt();
        int version = parser.getInt();
        int trailerLength = parser.position();
        if (parser.getInt() != checksum.of(trailer, 0, trailerLength)
                || parser.getLong() != ~SegmentFormat.MAGIC) {
            throw corrupt("has no valid trailer: it was not written to its end, or was damaged");
        }
        checkVersion(version);
        if (footerAt < SegmentFormat.HEADER_BYTES
                || footerLength < 0
                || footerAt + footerLength != trailerAt) {
            throw corrupt("has a footer that does not fit");
        }
        byte[] footer = copy(bytes, footerAt, footerLength);
        if (checksum.of(footer, 0, footerLength) != footerChecksum) {
            throw corrupt("has a footer that does not match its checksum");
        }

        parser = new ByteParser(footer, name + ": footer");
        if (parser.getLong() != SegmentFormat.fingerprint(schema)) {
            throw corrupt("was written with other columns than table " + schema.name() + " has");
        }
        rowCount = parser.getLong();
        blockCount = parser.getCount(4);
        blockStarts = parseBlockRows(parser);
        int columns = schema.columnCount();
        tables = new BlockTable[columns];
        statistics = new ColumnStatistics[columns];
        dictionaryEntries = new int[columns];
        dictionaryOffsets = new long[columns];
        dictionaryLengths = new int[columns];
        dictionaryChecksums = new int[columns];
        tokens = new TokenPlace[columns];
        for (int column = 0; column < columns; column++) {
            parseColumn(parser, column);
        }
        keyRows = findKeyRows();
        keys = new byte[keyRows.length][];
        parseKeys(parser);
        parser.expectEnd();
    }

    private static byte[] copy(MemorySegment bytes, long at, int length) {
        byte[] target = new byte[length];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, target, 0, length);
        return target;
    }

    private void checkVersion(int version) {
        if (version != SegmentFormat.VERSION) {
            throw corrupt(
                    "has format version "
                            + version
                            + "; this program reads version "
                            + SegmentFormat.VERSION);
        }
    }

    private long[] parseBlockRows(ByteParser parser) {
        long[] starts = new long[blockCount + 1];
        for (int i = 0; i < blockCount; i++) {
            int rows = parser.getInt();
            if (rows < 1 || rows > SegmentFormat.BLOCK_ROWS) {
                throw corrupt("has a block of " + rows + " rows");
            }
            starts[i + 1] = starts[i] + rows;
        }
        if (starts[blockCount] != rowCount) {
            throw corrupt("has " + starts[blockCount] + " rows in blocks but claims " + rowCount);
        }
        return starts;
    }

    private void parseColumn(ByteParser parser, int column) {
        boolean isLong = schema.column(column).type().kind() == PhysicalKind.LONG;
        int encoding = parser.getByte();
        int flags = parser.getByte();
        if (encoding >= ColumnEncoding.values().length) {
            throw corrupt("has an unknown encoding of column " + schema.column(column).name());
        }
        long nullCount = parser.getLong();
        long bytes = parser.getLong();
        int maxLength = parser.getInt();
        Literal min =
                (flags & SegmentFormat.COLUMN_HAS_MIN) != 0 ? parseBound(parser, isLong) : null;
        Literal max =
                (flags & SegmentFormat.COLUMN_HAS_MAX) != 0 ? parseBound(parser, isLong) : null;
        int entries = parser.getInt();
        dictionaryEntries[column] = entries;
        if (entries < -1 || entries > Dictionary.MAX_ENTRIES) {
            throw corrupt("has a dictionary of " + entries + " entries");
        }
        if (entries >= 0) {
            dictionaryOffsets[column] = parser.getLong();
            dictionaryLengths[column] = parser.getInt();
            dictionaryChecksums[column] = parser.getInt();
            checkPlace(dictionaryOffsets[column], dictionaryLengths[column]);
        }
        if ((flags & SegmentFormat.COLUMN_HAS_TOKENS) != 0) {
            tokens[column] = parseTokens(parser);
        }
        statistics[column] =
                new ColumnStatistics(
                        ColumnEncoding.values()[encoding],
                        nullCount,
                        entries,
                        (flags & SegmentFormat.COLUMN_OVERFLOWED) != 0,
                        (flags & SegmentFormat.COLUMN_COMPLETE) != 0,
                        bytes,
                        min,
                        max,
                        maxLength);
        tables[column] = parseBlocks(parser, column, isLong);
    }

    private TokenPlace parseTokens(ByteParser parser) {
        TokenPlace place =
                new TokenPlace(
                        parser.getLong(), parser.getLong(), parser.getInt(), parser.getInt());
        if (place.offset() != 0) {
            checkPlace(place.offset(), place.length());
            if (place.length() > TokenTable.MAX_BYTES) {
                throw corrupt("has a token table of " + place.length() + " bytes");
            }
        }
        return place;
    }

    private static @Nullable Literal parseBound(ByteParser parser, boolean isLong) {
        return isLong
                ? new Literal.LongLiteral(parser.getLong())
                : new Literal.BytesLiteral(parser.getBytes());
    }

    private BlockTable parseBlocks(ByteParser parser, int column, boolean isLong) {
        if ((long) blockCount * SegmentFormat.BLOCK_REFERENCE_BYTES > parser.remaining()) {
            throw corrupt("has a footer that is too short for its blocks");
        }
        BlockTable table = new BlockTable(blockCount);
        boolean nullable = schema.column(column).nullable();
        boolean codes = dictionaryEntries[column] >= 0;
        for (int i = 0; i < blockCount; i++) {
            table.encodings[i] = (byte) parser.getByte();
            table.offsets[i] = parser.getLong();
            table.lengths[i] = parser.getInt();
            table.checksums[i] = parser.getInt();
            table.nullCounts[i] = parser.getInt();
            table.mins[i] = parser.getLong();
            table.maxs[i] = parser.getLong();
            checkPlace(table.offsets[i], table.lengths[i]);
            checkEncoding(table.encodings[i], column, isLong, codes);
            int nulls = table.nullCounts[i];
            if (nulls < 0 || nulls > blockRows(i) || nulls > 0 && !nullable) {
                throw corrupt("has " + nulls + " NULLs in column " + schema.column(column).name());
            }
        }
        return table;
    }

    private void checkPlace(long offset, int length) {
        if (offset < SegmentFormat.HEADER_BYTES || length < 0 || offset > footerAt - length) {
            throw corrupt("refers to bytes beyond its blocks");
        }
    }

    private void checkEncoding(byte encoding, int column, boolean isLong, boolean codes) {
        boolean fits =
                switch (encoding) {
                    case SegmentFormat.BLOCK_CODES -> codes;
                    case SegmentFormat.BLOCK_BYTES_PLAIN, SegmentFormat.BLOCK_BYTES_LZ4 ->
                            !isLong && !codes;
                    case SegmentFormat.BLOCK_TOKENS -> !isLong && !codes && tokens[column] != null;
                    case SegmentFormat.BLOCK_PLAIN_1,
                            SegmentFormat.BLOCK_PLAIN_2,
                            SegmentFormat.BLOCK_PLAIN_4,
                            SegmentFormat.BLOCK_PLAIN_8,
                            SegmentFormat.BLOCK_PACKED ->
                            isLong && !codes;
                    default -> false;
                };
        if (!fits) {
            throw corrupt(
                    "has block encoding "
                            + encoding
                            + " in column "
                            + schema.column(column).name());
        }
    }

    /** The rows that have an entry in the key index. */
    private long[] findKeyRows() {
        if (!sorted || rowCount == 0) {
            return new long[0];
        }
        int count = 1;
        for (int i = 0; i < blockCount; i++) {
            count += indexEntries(blockRows(i));
        }
        long[] rows = new long[count];
        int next = 0;
        for (int i = 0; i < blockCount; i++) {
            for (int entry = 0; entry < indexEntries(blockRows(i)); entry++) {
                rows[next++] = blockStarts[i] + (long) entry * SegmentFormat.KEY_INDEX_ROWS;
            }
        }
        rows[next] = rowCount - 1;
        return rows;
    }

    private static int indexEntries(int rows) {
        return (rows + SegmentFormat.KEY_INDEX_ROWS - 1) / SegmentFormat.KEY_INDEX_ROWS;
    }

    private void parseKeys(ByteParser parser) {
        int count = parser.getCount(4);
        if (count != keys.length) {
            throw corrupt("has " + count + " keys in its index instead of " + keys.length);
        }
        for (int i = 0; i < count; i++) {
            keys[i] = parser.getBytes();
            if (i > 0 && Arrays.compareUnsigned(keys[i - 1], keys[i]) > 0) {
                throw corrupt("has a key index that is not in order");
            }
        }
    }

    private PenstockException corrupt(String fault) {
        return PenstockException.corrupt(name + " " + fault);
    }

    SegmentIdentity identity() {
        return identity;
    }

    boolean sorted() {
        return sorted;
    }

    long rowCount() {
        return rowCount;
    }

    int blockCount() {
        return blockCount;
    }

    int blockRows(int block) {
        return (int) (blockStarts[block + 1] - blockStarts[block]);
    }

    long blockStart(int block) {
        return blockStarts[block];
    }

    int blockOf(long row) {
        if (row < 0 || row >= rowCount) {
            throw new IndexOutOfBoundsException("row " + row + " of " + rowCount);
        }
        int found = Arrays.binarySearch(blockStarts, row);
        return found >= 0 ? found : -found - 2;
    }

    ColumnStatistics statistics(int column) {
        return statistics[column];
    }

    BlockTable table(int column) {
        return tables[column];
    }

    int dictionaryEntries(int column) {
        return dictionaryEntries[column];
    }

    long dictionaryOffset(int column) {
        return dictionaryOffsets[column];
    }

    int dictionaryLength(int column) {
        return dictionaryLengths[column];
    }

    int dictionaryChecksum(int column) {
        return dictionaryChecksums[column];
    }

    /** Where a column's token table is, or null if it has no blocks of tokens. */
    @Nullable TokenPlace tokens(int column) {
        return tokens[column];
    }

    byte[][] keys() {
        return keys;
    }

    long[] keyRows() {
        return keyRows;
    }
}
