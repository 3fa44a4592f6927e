package dev.penstock.segment;

import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.predicate.Literal;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes segments, one after another: {@link #begin}, then blocks ({@link #beginBlock}, one {@link
 * #add} or {@link #addInPlace} per column in any order of columns, keys of the index), then {@link
 * #finish}. What the blocks hold is the caller's business ({@link BlockEncoder}); this class keeps
 * the references and statistics that become the footer. Owned by one thread.
 */
public final class SegmentWriter implements BlockTarget {
    private static final byte[] NO_BYTES = new byte[0];

    private final TableSchema schema;
    private final int columnCount;
    private final BlockTable[] tables;
    private final int[] added;
    private final @Nullable Dictionary[] dictionaries;
    private final @Nullable TokenTable[] tokens;
    private final boolean[] tokensInside;
    private final boolean[] overflowed;
    private final boolean[] complete;
    private final int[] maxLengths;
    private final BlockEncoder encoder;
    private final BlockChecksum checksum = new BlockChecksum();
    private final ByteBuilder footer = new ByteBuilder(4096);
    private final ByteBuilder keys = new ByteBuilder(1024);
    private final ByteBuilder dictionaryBytes = new ByteBuilder(1024);

    /** The tables that were written last. */
    private final @Nullable EncodedTable[] encodedTables;

    private record EncodedTable(TokenTable table, byte[] bytes) {}

    private ByteSink sink = new ByteBuilder(0);
    private SegmentIdentity identity = new SegmentIdentity(0, 0, 0);
    private long start;
    private boolean sorted;
    private int[] blockRows = new int[16];
    private int blockCount;
    private long rowCount;
    private int keyCount;
    private int lastKeyAt;

    /** Blocks are encoded by {@code encoder} or not; dictionaries always are. */
    public SegmentWriter(TableSchema schema, BlockEncoder encoder) {
        this.schema = schema;
        this.encoder = encoder;
        this.columnCount = schema.columnCount();
        this.tables = new BlockTable[columnCount];
        for (int i = 0; i < columnCount; i++) {
            tables[i] = new BlockTable();
        }
        this.added = new int[columnCount];
        this.dictionaries = new Dictionary[columnCount];
        this.tokens = new TokenTable[columnCount];
        this.tokensInside = new boolean[columnCount];
        this.encodedTables = new EncodedTable[columnCount];
        this.overflowed = new boolean[columnCount];
        this.complete = new boolean[columnCount];
        this.maxLengths = new int[columnCount];
    }

    /** Starts a segment at the sink's position. */
    public void begin(ByteSink target, SegmentIdentity newIdentity, boolean inKeyOrder) {
        sink = target;
        identity = newIdentity;
        sorted = inKeyOrder;
        start = target.position();
        blockCount = 0;
        rowCount = 0;
        keyCount = 0;
        lastKeyAt = 0;
        keys.clear();
        Arrays.fill(added, 0);
        Arrays.fill(dictionaries, null);
        Arrays.fill(tokens, null);
        Arrays.fill(overflowed, false);
        Arrays.fill(complete, false);
        Arrays.fill(maxLengths, 0);
        writeHeader();
    }

    private void writeHeader() {
        footer.clear();
        footer.putLong(SegmentFormat.MAGIC).putInt(SegmentFormat.VERSION);
        footer.putInt(sorted ? SegmentFormat.FLAG_SORTED : 0);
        footer.putLong(identity.high()).putLong(identity.low()).putInt(identity.chunkOrOrdinal());
        footer.putInt(checksum.of(footer.array(), 0, footer.length()));
        sink.write(footer.array(), 0, footer.length());
    }

    @Override
    public void dictionary(int column, Dictionary dictionary) {
        dictionaries[column] = dictionary;
    }

    @Override
    public void tokens(int column, TokenTable table, boolean inside) {
        tokens[column] = table;
        tokensInside[column] = inside;
    }

    @Override
    public void overflowed(int column) {
        overflowed[column] = true;
    }

    /** Says that nothing is left to encode in a column. */
    public void complete(int column) {
        complete[column] = true;
    }

    /** Declares the next block's rows. */
    public void beginBlock(int rows) {
        if (blockCount == blockRows.length) {
            blockRows = Arrays.copyOf(blockRows, 2 * blockCount);
        }
        blockRows[blockCount++] = rows;
        rowCount += rows;
    }

    /** Rows of the segment so far. */
    public long rowCount() {
        return rowCount;
    }

    /** Appends the next block of a column. */
    public void add(int column, EncodedBlock block, byte[] bytes, int offset) {
        long position = sink.position() - start;
        sink.write(bytes, offset, block.length());
        refer(column, block, position, bytes, offset);
    }

    /**
     * {@inheritDoc}
     *
     * @param out the sink
     */
    @Override
    public void addInPlace(int column, EncodedBlock block, ByteBuilder out) {
        int offset = out.length() - block.length();
        refer(column, block, offset - start, out.array(), offset);
    }

    private void refer(int column, EncodedBlock block, long position, byte[] bytes, int offset) {
        BlockTable table = tables[column];
        int number = added[column]++;
        int crc = checksum.of(column, number, bytes, offset, block.length());
        table.set(number, block, position, crc);
        maxLengths[column] = Math.max(maxLengths[column], block.maxLength());
    }

    /** Appends an entry to the key index: see {@link SegmentFormat} for which rows have one. */
    public void addKey(byte[] bytes, int offset, int length) {
        lastKeyAt = keys.length();
        keys.putInt(length);
        keys.write(bytes, offset, length);
        keyCount++;
    }

    /** Writes dictionaries, footer and trailer. */
    public SegmentSummary finish() {
        List<ColumnStatistics> statistics = new ArrayList<>(columnCount);
        footer.clear();
        footer.putLong(SegmentFormat.fingerprint(schema)).putLong(rowCount).putInt(blockCount);
        for (int i = 0; i < blockCount; i++) {
            footer.putInt(blockRows[i]);
        }
        for (int column = 0; column < columnCount; column++) {
            if (added[column] != blockCount) {
                throw new IllegalStateException(
                        "column "
                                + column
                                + " has "
                                + added[column]
                                + " of "
                                + blockCount
                                + " blocks");
            }
            statistics.add(finishColumn(column));
        }
        footer.putInt(keyCount);
        footer.write(keys.array(), 0, keys.length());
        long footerAt = sink.position() - start;
        int footerLength = footer.length();
        int footerChecksum = checksum.of(footer.array(), 0, footerLength);
        sink.write(footer.array(), 0, footerLength);
        writeTrailer(footerAt, footerLength, footerChecksum);
        return new SegmentSummary(
                identity.chunkOrOrdinal(),
                rowCount,
                sink.position() - start,
                keyAt(0),
                keyAt(lastKeyAt),
                statistics,
                ColumnSums.NONE);
    }

    private void writeTrailer(long footerAt, int footerLength, int footerChecksum) {
        footer.clear();
        footer.putLong(footerAt).putInt(footerLength).putInt(footerChecksum);
        footer.putInt(SegmentFormat.VERSION);
        footer.putInt(checksum.of(footer.array(), 0, footer.length()));
        footer.putLong(~SegmentFormat.MAGIC);
        sink.write(footer.array(), 0, footer.length());
    }

    private byte[] keyAt(int at) {
        if (keyCount == 0) {
            return new byte[0];
        }
        int length = ByteAccess.getInt(keys.array(), at);
        return Arrays.copyOfRange(keys.array(), at + 4, at + 4 + length);
    }

    /** Writes a column's dictionary and token table, and its part of the footer. */
    private ColumnStatistics finishColumn(int column) {
        BlockTable blocks = tables[column];
        Dictionary dictionary = dictionaries[column];
        EncodedBlock entries = null;
        dictionaryBytes.clear();
        if (dictionary != null) {
            entries = encoder.dictionary(dictionary, dictionaryBytes);
            maxLengths[column] = entries.maxLength();
        }
        TokenTable table = hasBlocks(column, SegmentFormat.BLOCK_TOKENS) ? tokens[column] : null;
        byte[] tokenBytes =
                table != null && tokensInside[column] ? encodedTable(column, table) : NO_BYTES;
        long nulls = blocks.nullCountOf(blockCount);
        boolean any = nulls < rowCount;
        ColumnStatistics statistics =
                new ColumnStatistics(
                        encoding(column),
                        nulls,
                        dictionary == null ? -1 : dictionary.size(),
                        overflowed[column],
                        complete[column],
                        blocks.bytesOf(blockCount) + dictionaryBytes.length() + tokenBytes.length,
                        any ? lowerBound(column, blocks.minOf(blockCount)) : null,
                        any ? upperBound(column, blocks.maxOf(blockCount)) : null,
                        maxLengths[column]);
        putStatistics(statistics, table != null);
        footer.putInt((int) statistics.distinct());
        if (entries != null) {
            putDictionary(column, entries.length());
        }
        if (table != null) {
            putTokens(column, table, tokenBytes);
        }
        blocks.write(blockCount, footer);
        return statistics;
    }

    /** The place of the dictionary, and the dictionary. */
    private void putDictionary(int column, int length) {
        byte[] encoded = dictionaryBytes.array();
        footer.putLong(sink.position() - start).putInt(length);
        footer.putInt(checksum.of(column, SegmentFormat.DICTIONARY_BLOCK, encoded, 0, length));
        sink.write(encoded, 0, length);
    }

    /** A table's bytes, which the next segment will most likely hold too. */
    private byte[] encodedTable(int column, TokenTable table) {
        EncodedTable last = encodedTables[column];
        if (last == null || !last.table.equals(table)) {
            ByteBuilder out = new ByteBuilder(1024);
            table.write(out);
            last = new EncodedTable(table, out.toByteArray());
            encodedTables[column] = last;
        }
        return last.bytes;
    }

    /** The place of the token table, and the table. */
    private void putTokens(int column, TokenTable table, byte[] encoded) {
        int length = encoded.length;
        footer.putLong(table.fingerprint());
        footer.putLong(length == 0 ? 0 : sink.position() - start).putInt(length);
        footer.putInt(checksum.of(column, SegmentFormat.TOKENS_BLOCK, encoded, 0, length));
        sink.write(encoded, 0, length);
    }

    private void putStatistics(ColumnStatistics statistics, boolean hasTokens) {
        footer.putByte(statistics.encoding().ordinal());
        footer.putByte(
                (statistics.overflowed() ? SegmentFormat.COLUMN_OVERFLOWED : 0)
                        | (statistics.complete() ? SegmentFormat.COLUMN_COMPLETE : 0)
                        | (hasTokens ? SegmentFormat.COLUMN_HAS_TOKENS : 0)
                        | (statistics.min() != null ? SegmentFormat.COLUMN_HAS_MIN : 0)
                        | (statistics.max() != null ? SegmentFormat.COLUMN_HAS_MAX : 0));
        footer.putLong(statistics.nullCount()).putLong(statistics.bytes());
        footer.putInt(statistics.maxLength());
        putBound(statistics.min());
        putBound(statistics.max());
    }

    private void putBound(@Nullable Literal bound) {
        switch (bound) {
            case null -> {}
            case Literal.LongLiteral(long value) -> footer.putLong(value);
            case Literal.BytesLiteral(byte[] value) -> footer.putBytes(value);
        }
    }

    private ColumnEncoding encoding(int column) {
        if (dictionaries[column] != null) {
            return ColumnEncoding.DICTIONARY;
        }
        if (hasBlocks(column, SegmentFormat.BLOCK_TOKENS)) {
            return ColumnEncoding.TOKENS;
        }
        if (hasBlocks(column, SegmentFormat.BLOCK_BYTES_LZ4)) {
            return ColumnEncoding.COMPRESSED;
        }
        return hasBlocks(column, SegmentFormat.BLOCK_PACKED)
                        || hasBlocks(column, SegmentFormat.BLOCK_MULTIPLES)
                        || hasBlocks(column, SegmentFormat.BLOCK_DECIMALS)
                ? ColumnEncoding.PACKED
                : ColumnEncoding.PLAIN;
    }

    private boolean hasBlocks(int column, byte encoding) {
        for (int i = 0; i < blockCount; i++) {
            if (tables[column].encoding(i) == encoding) {
                return true;
            }
        }
        return false;
    }

    private Literal lowerBound(int column, long min) {
        return switch (dictionaries[column]) {
            case LongDictionary longs -> new Literal.LongLiteral(longs.value((int) min));
            case BytesDictionary bytes -> new Literal.BytesLiteral(bytes.value((int) min));
            case null ->
                    isLong(column)
                            ? new Literal.LongLiteral(min)
                            : new Literal.BytesLiteral(headBytes(min));
        };
    }

    private @Nullable Literal upperBound(int column, long max) {
        return switch (dictionaries[column]) {
            case LongDictionary longs -> new Literal.LongLiteral(longs.value((int) max));
            case BytesDictionary bytes -> new Literal.BytesLiteral(bytes.value((int) max));
            case null -> {
                if (isLong(column)) {
                    yield new Literal.LongLiteral(max);
                }
                yield max == Long.MAX_VALUE ? null : new Literal.BytesLiteral(headBytes(max + 1));
            }
        };
    }

    private boolean isLong(int column) {
        return schema.column(column).type().kind() == PhysicalKind.LONG;
    }

    /** The eight bytes of an ordered head without trailing zeros. */
    private static byte[] headBytes(long head) {
        long bits = head ^ Long.MIN_VALUE;
        int length = 8 - (bits == 0 ? 8 : Long.numberOfTrailingZeros(bits) / 8);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (bits >>> (56 - 8 * i));
        }
        return bytes;
    }
}
