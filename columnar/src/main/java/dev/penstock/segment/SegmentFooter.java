package dev.penstock.segment;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteParser;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.error.PenstockException;
import dev.penstock.predicate.Literal;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.schema.ValueRange;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Header, footer and trailer of a segment, read and checked as a whole. Not changed later. */
final class SegmentFooter {
    static final ValueLayout.OfLong LONG_LE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final ColumnEncoding[] ENCODINGS = ColumnEncoding.values();

    /** Heap per column and per key of the index besides their bytes, about. */
    private static final int COLUMN_HEAP_BYTES = 256;

    private static final int KEY_HEAP_BYTES = 40;

    /** A long, or place and beginning of a byte string. */
    private static final int DICTIONARY_ENTRY_BYTES = 12;

    private static final int LONG_ENCODINGS =
            1 << SegmentFormat.BLOCK_PLAIN_1
                    | 1 << SegmentFormat.BLOCK_PLAIN_2
                    | 1 << SegmentFormat.BLOCK_PLAIN_4
                    | 1 << SegmentFormat.BLOCK_PLAIN_8
                    | 1 << SegmentFormat.BLOCK_PACKED
                    | 1 << SegmentFormat.BLOCK_MULTIPLES;

    private static final int FLOATING_ENCODINGS =
            LONG_ENCODINGS | 1 << SegmentFormat.BLOCK_DECIMALS;

    private static final int SCALED_ENCODINGS =
            1 << SegmentFormat.BLOCK_MULTIPLES | 1 << SegmentFormat.BLOCK_DECIMALS;

    private static final int BYTES_ENCODINGS =
            1 << SegmentFormat.BLOCK_BYTES_PLAIN | 1 << SegmentFormat.BLOCK_BYTES_LZ4;

    private static final int TOKEN_ENCODINGS = 1 << SegmentFormat.BLOCK_TOKENS;

    /**
     * Where a token table is.
     *
     * @param offset 0 if it is not in the segment
     */
    record TokenPlace(long fingerprint, long offset, int length, int checksum) {}

    private final String name;
    private final TableSchema schema;
    private final SegmentIdentity identity;
    private final int version;
    private final boolean sorted;
    private final long footerAt;
    private final int footerBytes;
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

    static SegmentFooter parse(TableSchema schema, SegmentSource source, String name) {
        Ends ends = Ends.read(source, name);
        ByteParser parser = new ByteParser(ends.footer, name + ": footer");
        SegmentFooter footer = new SegmentFooter(schema, ends, parser, name);
        for (int column = 0; column < schema.columnCount(); column++) {
            footer.parseColumn(parser, column);
        }
        footer.parseKeys(parser);
        parser.expectEnd();
        footer.checkPlaces();
        return footer;
    }

    /** Of a parser at the footer's beginning, which goes to its first column. */
    private SegmentFooter(TableSchema schema, Ends ends, ByteParser parser, String name) {
        this.schema = schema;
        this.name = name;
        identity = ends.identity;
        version = ends.version;
        sorted = ends.sorted;
        footerAt = ends.footerAt;
        footerBytes = ends.footer.length;
        if (parser.getLong() != SegmentFormat.fingerprint(schema)) {
            throw corrupt("was written with other columns than table " + schema.name() + " has");
        }
        rowCount = parser.getLong();
        int columns = schema.columnCount();
        // Each block has a reference in each column, too: no more are made room for than that.
        blockCount = parser.getCount(4 + columns * SegmentFormat.BLOCK_REFERENCE_BYTES);
        blockStarts = parseBlockRows(parser);
        tables = new BlockTable[columns];
        statistics = new ColumnStatistics[columns];
        dictionaryEntries = new int[columns];
        dictionaryOffsets = new long[columns];
        dictionaryLengths = new int[columns];
        dictionaryChecksums = new int[columns];
        tokens = new TokenPlace[columns];
        keyRows = findKeyRows();
        keys = new byte[keyRows.length][];
    }

    /** Header, trailer and the bytes of the footer, as their checksums say. */
    private record Ends(
            SegmentIdentity identity, int version, boolean sorted, long footerAt, byte[] footer) {
        static Ends read(SegmentSource source, String name) {
            long trailerAt = source.byteSize() - SegmentFormat.TRAILER_BYTES;
            if (trailerAt < SegmentFormat.HEADER_BYTES) {
                throw corrupt(name, "is too short for a segment");
            }
            BlockChecksum checksum = new BlockChecksum();
            ByteParser header = header(source, name);
            int version = header.getInt();
            checkVersion(name, version);
            int flags = header.getInt();
            SegmentIdentity identity =
                    new SegmentIdentity(header.getLong(), header.getLong(), header.getInt());
            if (header.getInt() != checksum.of(header.array(), 0, SegmentFormat.HEADER_BYTES - 4)
                    || (flags & ~SegmentFormat.FLAG_SORTED) != 0) {
                throw corrupt(name, "has a header that does not match its checksum");
            }
            ByteParser trailer = trailer(source, name, checksum);
            long footerAt = trailer.getLong();
            int length = trailer.getInt();
            if (footerAt < SegmentFormat.HEADER_BYTES
                    || length < 0
                    || footerAt + length != trailerAt) {
                throw corrupt(name, "has a footer that does not fit");
            }
            byte[] footer = new byte[length];
            source.copyEnd(footerAt, footer);
            if (checksum.of(footer, 0, length) != trailer.getInt()) {
                throw corrupt(name, "has a footer that does not match its checksum");
            }
            boolean sorted = (flags & SegmentFormat.FLAG_SORTED) != 0;
            return new Ends(identity, version, sorted, footerAt, footer);
        }

        /** The header after the magic. */
        private static ByteParser header(SegmentSource source, String name) {
            byte[] bytes = new byte[SegmentFormat.HEADER_BYTES];
            source.copyEnd(0, bytes);
            ByteParser header = new ByteParser(bytes, name + ": header");
            if (header.getLong() != SegmentFormat.MAGIC) {
                throw corrupt(name, "does not begin as a segment");
            }
            return header;
        }

        /** The trailer, which matches its checksum. */
        private static ByteParser trailer(
                SegmentSource source, String name, BlockChecksum checksum) {
            byte[] bytes = new byte[SegmentFormat.TRAILER_BYTES];
            source.copyEnd(source.byteSize() - bytes.length, bytes);
            ByteParser trailer = new ByteParser(bytes, name + ": trailer");
            if (ByteAccess.getInt(bytes, 20) != checksum.of(bytes, 0, 20)
                    || ByteAccess.getLong(bytes, 24) != ~SegmentFormat.MAGIC) {
                throw corrupt(
                        name,
                        "has no valid trailer: it was not written to its end, or was damaged");
            }
            checkVersion(name, ByteAccess.getInt(bytes, 16));
            return trailer;
        }

        private static void checkVersion(String name, int version) {
            if (version < SegmentFormat.OLDEST_VERSION || version > SegmentFormat.VERSION) {
                throw corrupt(
                        name,
                        "has format version "
                                + version
                                + "; this program reads versions "
                                + SegmentFormat.OLDEST_VERSION
                                + " to "
                                + SegmentFormat.VERSION);
            }
        }

        private static PenstockException corrupt(String name, String fault) {
            return PenstockException.corrupt(name + " " + fault);
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
        if (encoding >= ENCODINGS.length) {
            throw corrupt("has an unknown encoding of column " + schema.column(column).name());
        }
        long nullCount = parser.getLong();
        long bytes = parser.getLong();
        int maxLength = parser.getInt();
        Literal min = parseBound(parser, flags & SegmentFormat.COLUMN_HAS_MIN, isLong);
        Literal max = parseBound(parser, flags & SegmentFormat.COLUMN_HAS_MAX, isLong);
        parseDictionary(parser, column);
        if ((flags & SegmentFormat.COLUMN_HAS_TOKENS) != 0) {
            tokens[column] = parseTokens(parser);
        }
        statistics[column] =
                new ColumnStatistics(
                        ENCODINGS[encoding],
                        nullCount,
                        dictionaryEntries[column],
                        (flags & SegmentFormat.COLUMN_OVERFLOWED) != 0,
                        (flags & SegmentFormat.COLUMN_COMPLETE) != 0,
                        bytes,
                        min,
                        max,
                        maxLength);
        BlockTable table = parseBlocks(parser);
        tables[column] = table;
        checkBlocks(table, column, isLong);
        checkStatistics(column, isLong);
    }

    /** What is said of a column as a whole; memory is reckoned by it. */
    private void checkStatistics(int column, boolean isLong) {
        ColumnStatistics all = statistics[column];
        if (all.nullCount() != tables[column].nullCountOf(blockCount)) {
            throw misfit(all.nullCount() + " NULLs, and others in its blocks,", column);
        }
        if (all.bytes() < 0 || all.bytes() > footerAt) {
            throw misfit(all.bytes() + " bytes", column);
        }
        if (all.maxLength() < 0 || all.maxLength() > mostLength(column, isLong)) {
            throw misfit("byte strings of " + all.maxLength() + " bytes", column);
        }
    }

    private int mostLength(int column, boolean isLong) {
        if (isLong) {
            return 0;
        }
        if (dictionaryEntries[column] >= 0) {
            return dictionaryLengths[column];
        }
        int most = 0;
        for (int block = 0; block < blockCount; block++) {
            most = Math.max(most, SegmentFormat.mostBytes(blockRows(block)));
        }
        return most;
    }

    /** No bytes are those of two blocks: small segments would become very many rows else. */
    private void checkPlaces() {
        long bytes = 0;
        for (int column = 0; column < tables.length; column++) {
            TokenPlace place = tokens[column];
            bytes += tables[column].bytesOf(blockCount) + dictionaryLengths[column];
            bytes += place == null || place.offset() == 0 ? 0 : place.length();
        }
        if (bytes > footerAt - SegmentFormat.HEADER_BYTES) {
            throw corrupt("has more bytes in blocks than there are");
        }
    }

    private void parseDictionary(ByteParser parser, int column) {
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
            // Besides the entries themselves, where each one ends.
            if (dictionaryLengths[column] > Dictionary.MAX_BYTES + (entries + 8L) * Long.BYTES) {
                throw corrupt("has a dictionary of " + dictionaryLengths[column] + " bytes");
            }
        }
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

    private static @Nullable Literal parseBound(ByteParser parser, int present, boolean isLong) {
        if (present == 0) {
            return null;
        }
        return isLong
                ? new Literal.LongLiteral(parser.getLong())
                : new Literal.BytesLiteral(parser.getBytes());
    }

    private BlockTable parseBlocks(ByteParser parser) {
        if ((long) blockCount * SegmentFormat.BLOCK_REFERENCE_BYTES > parser.remaining()) {
            throw corrupt("has a footer that is too short for its blocks");
        }
        int at = parser.skip(blockCount * SegmentFormat.BLOCK_REFERENCE_BYTES);
        return new BlockTable(parser.array(), at);
    }

    private void checkBlocks(BlockTable table, int column, boolean isLong) {
        int fitting = fittingEncodings(column, isLong);
        boolean nullable = schema.column(column).nullable();
        boolean hasValues = isLong && dictionaryEntries[column] < 0;
        for (int i = 0; i < blockCount; i++) {
            checkPlace(table.offset(i), table.length(i));
            int encoding = table.encoding(i);
            if (encoding < 0 || encoding > 31 || (fitting >> encoding & 1) == 0) {
                throw misfit("block encoding " + encoding, column);
            }
            int nulls = table.nullCount(i);
            if (nulls < 0 || nulls > blockRows(i) || nulls > 0 && !nullable) {
                throw misfit(nulls + " NULLs", column);
            }
            if (nulls < blockRows(i)) {
                checkBounds(table.min(i), table.max(i), column);
                if (hasValues) {
                    checkRange(table.min(i), table.max(i), column);
                }
            } else if (table.min(i) <= table.max(i)) {
                throw misfit("bounds of a block without values", column);
            }
        }
    }

    /** Bounds of no value would hide those that there are; codes are entries. */
    private void checkBounds(long min, long max, int column) {
        int entries = dictionaryEntries[column];
        if (min > max || entries >= 0 && (min < 0 || max >= entries)) {
            throw misfit("impossible bounds of a block", column);
        }
    }

    /** A value that a column's type does not have would be read as another one, or as none. */
    private void checkRange(long min, long max, int column) {
        ValueRange range = ValueRange.of(schema.column(column).type());
        if (!range.has(min) || !range.has(max)) {
            throw misfit("values from " + min + " to " + max, column);
        }
    }

    private PenstockException misfit(String what, int column) {
        return corrupt("has " + what + " in column " + schema.column(column).name());
    }

    private void checkPlace(long offset, int length) {
        if (offset < SegmentFormat.HEADER_BYTES || length < 0 || offset > footerAt - length) {
            throw corrupt("refers to bytes beyond its blocks");
        }
    }

    /** The encodings that a column's blocks may have, as bits. */
    private int fittingEncodings(int column, boolean isLong) {
        if (dictionaryEntries[column] >= 0) {
            return 1 << SegmentFormat.BLOCK_CODES;
        }
        if (isLong) {
            boolean floating = schema.column(column).type().isFloatingPoint();
            int all = floating ? FLOATING_ENCODINGS : LONG_ENCODINGS;
            return isCurrent() ? all : all & ~SCALED_ENCODINGS;
        }
        return tokens[column] == null ? BYTES_ENCODINGS : BYTES_ENCODINGS | TOKEN_ENCODINGS;
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
            if (i > 0) {
                int order = Arrays.compareUnsigned(keys[i - 1], keys[i]);
                if (order > 0 || order < 0 && keyRows[i - 1] == keyRows[i]) {
                    throw corrupt("has a key index that is not in order");
                }
            }
        }
    }

    private PenstockException corrupt(String fault) {
        return PenstockException.corrupt(name + " " + fault);
    }

    SegmentIdentity identity() {
        return identity;
    }

    boolean isCurrent() {
        return version == SegmentFormat.VERSION;
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

    /** Heap that this takes, and all dictionaries and token tables once they have been read. */
    long maxHeapBytes() {
        long bytes = 2L * footerBytes + (long) KEY_HEAP_BYTES * keys.length;
        for (int column = 0; column < tables.length; column++) {
            bytes += COLUMN_HEAP_BYTES + dictionaryHeapBytes(column);
            TokenPlace place = tokens[column];
            bytes += place == null || place.offset() == 0 ? 0 : TokenTable.HEAP_BYTES;
        }
        return bytes;
    }

    private long dictionaryHeapBytes(int column) {
        long entries = Math.max(dictionaryEntries[column], 0);
        int longest = statistics[column].maxLength();
        long strings = Math.min(entries * longest, Dictionary.MAX_BYTES);
        return entries * DICTIONARY_ENTRY_BYTES + strings;
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
