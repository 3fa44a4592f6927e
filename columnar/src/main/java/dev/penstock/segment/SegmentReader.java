package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.bytes.MemoryCopy;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/**
 * One segment, in a heap array (a fragment) or mapped (a file). {@link #open} reads and checks
 * header, footer and trailer; a block's checksum is checked when the block is first decoded, a
 * dictionary's when first needed. What does not match is refused as corrupt, naming segment, column
 * and block.
 *
 * <p>Immutable for its users and safe for many threads: dictionaries and the marks of checked
 * blocks are filled in late, by races that all write the same.
 */
public final class SegmentReader {
    private static final int MAX_COMPARED_BYTES = 1 << 11;

    private static final ThreadLocal<BlockCursor> CURSOR =
            ThreadLocal.withInitial(BlockCursor::new);

    /** Dictionaries are read while another block is open. */
    private static final ThreadLocal<BlockCursor> DICTIONARY_CURSOR =
            ThreadLocal.withInitial(BlockCursor::new);

    private final TableSchema schema;
    private final SegmentSource source;
    private final String name;
    private final byte @Nullable [] heapBytes;
    private final int heapOffset;
    private final SegmentFooter footer;
    private final KeyCodec codec;
    private final @Nullable Dictionary[] dictionaries;
    private final TokenTables known;
    private final @Nullable TokenTable[] tokens;
    private final long maxHeapBytes;

    private final BlockChecks checked;

    private SegmentReader(
            TableSchema schema,
            SegmentSource source,
            byte @Nullable [] heapBytes,
            int heapOffset,
            String name,
            SegmentFooter footer,
            TokenTables known) {
        this.schema = schema;
        this.source = source;
        this.name = name;
        this.footer = footer;
        this.codec = new KeyCodec(schema);
        this.dictionaries = new Dictionary[schema.columnCount()];
        this.known = known;
        this.tokens = new TokenTable[schema.columnCount()];
        this.checked = new BlockChecks(schema.columnCount(), footer.blockCount());
        this.heapBytes = heapBytes;
        this.heapOffset = heapOffset;
        this.maxHeapBytes = checked.heapBytes() + footer.maxHeapBytes();
    }

    /**
     * Opens a segment.
     *
     * @param schema the table's columns, as when the segment was written
     * @param bytes exactly the segment's bytes; must stay readable while the reader is used
     * @param name of the segment, for messages
     */
    public static SegmentReader open(TableSchema schema, MemorySegment bytes, String name) {
        return open(schema, bytes, name, TokenTables.NONE);
    }

    /**
     * The same.
     *
     * @param known the token tables of a segment that does not hold its own
     */
    public static SegmentReader open(
            TableSchema schema, MemorySegment bytes, String name, TokenTables known) {
        byte[] heap = bytes.heapBase().orElse(null) instanceof byte[] array ? array : null;
        int heapOffset = heap == null ? 0 : (int) bytes.address();
        return open(schema, new SegmentSource.Present(bytes), heap, heapOffset, name, known);
    }

    /** The same of a segment that is not in memory all the time, for the threads of one merge. */
    public static SegmentReader open(
            TableSchema schema, SegmentSource source, String name, TokenTables known) {
        return open(schema, source, null, 0, name, known);
    }

    private static SegmentReader open(
            TableSchema schema,
            SegmentSource source,
            byte @Nullable [] heapBytes,
            int heapOffset,
            String name,
            TokenTables known) {
        SegmentFooter footer = SegmentFooter.parse(schema, source, name);
        SegmentReader reader =
                new SegmentReader(schema, source, heapBytes, heapOffset, name, footer, known);
        for (int column = 0; column < schema.columnCount(); column++) {
            SegmentFooter.TokenPlace place = footer.tokens(column);
            if (place != null && place.offset() == 0) {
                reader.tokens[column] = reader.knownTokens(column, place);
            }
        }
        return reader;
    }

    private TokenTable knownTokens(int column, SegmentFooter.TokenPlace place) {
        TokenTable table = known.table(column);
        if (table == null || table.fingerprint() != place.fingerprint()) {
            throw corrupt(column, SegmentFormat.TOKENS_BLOCK, "is not in it and not known");
        }
        return table;
    }

    public TableSchema schema() {
        return schema;
    }

    public String name() {
        return name;
    }

    public SegmentIdentity identity() {
        return footer.identity();
    }

    /** Whether its blocks are what a writer makes of their rows now. */
    public boolean isCurrent() {
        return footer.isCurrent();
    }

    public long byteSize() {
        return source.byteSize();
    }

    public long rowCount() {
        return footer.rowCount();
    }

    /** Heap that the reader takes once all its dictionaries have been read; not its bytes. */
    public long maxHeapBytes() {
        return maxHeapBytes;
    }

    /** Whether the rows are in key order. */
    public boolean sorted() {
        return footer.sorted();
    }

    /** Encoded key of the first row; empty if not in key order or without rows. */
    public byte[] firstKey() {
        return footer.keys().length == 0 ? new byte[0] : footer.keys()[0].clone();
    }

    /** Encoded key of the last row; empty if not in key order or without rows. */
    public byte[] lastKey() {
        byte[][] keys = footer.keys();
        return keys.length == 0 ? new byte[0] : keys[keys.length - 1].clone();
    }

    /** Entries of the key index, in order; see {@link SegmentFormat}. */
    public int keyCount() {
        return footer.keys().length;
    }

    /** Encoded key of an entry of the key index; not to be changed. */
    public byte[] indexKey(int entry) {
        return footer.keys()[entry];
    }

    /** The row of an entry of the key index. */
    public long indexRow(int entry) {
        return footer.keyRows()[entry];
    }

    public ColumnStatistics statistics(int column) {
        return footer.statistics(column);
    }

    public int blockCount() {
        return footer.blockCount();
    }

    public int blockRows(int block) {
        return footer.blockRows(block);
    }

    /** First row of a block; for the number of blocks, the row count. */
    public long blockStartRow(int block) {
        return footer.blockStart(block);
    }

    /** The block that holds a row. */
    public int blockOf(long row) {
        return footer.blockOf(row);
    }

    /** NULLs of a column in a block. */
    public int blockNullCount(int column, int block) {
        return footer.table(column).nullCount(block);
    }

    /**
     * Smallest value, code or head of a column in a block; greater than the max if all are NULL.
     */
    public long blockMin(int column, int block) {
        return footer.table(column).min(block);
    }

    /** The same for the greatest. */
    public long blockMax(int column, int block) {
        return footer.table(column).max(block);
    }

    /** The column's dictionary, or null if it has none. */
    public @Nullable Dictionary dictionary(int column) {
        int entries = footer.dictionaryEntries(column);
        if (entries < 0) {
            return null;
        }
        Dictionary known = dictionaries[column];
        if (known == null) {
            known = readDictionary(column, entries);
            dictionaries[column] = known;
        }
        return known;
    }

    /** Entries of the column's dictionary, or -1 if it has none. */
    public int dictionaryEntries(int column) {
        return footer.dictionaryEntries(column);
    }

    /** Bytes of the column's dictionary, which it has, as it is stored. */
    public int dictionaryLength(int column) {
        return footer.dictionaryLength(column);
    }

    /** Whether the column's dictionary is this one. */
    public boolean hasDictionary(int column, EncodedDictionary other) {
        int length = other.bytes().length;
        if (footer.dictionaryEntries(column) != other.entries()
                || footer.dictionaryLength(column) != length) {
            return false;
        }
        long at = footer.dictionaryOffset(column);
        if (heapBytes != null) {
            int from = heapOffset + (int) at;
            return Arrays.equals(heapBytes, from, from + length, other.bytes(), 0, length);
        }
        // Comparing with the memory itself would have the JIT compile far more than a copy does.
        BlockCursor cursor = DICTIONARY_CURSOR.get();
        try {
            return cursor.holds(this, at, other.bytes());
        } finally {
            cursor.close();
        }
    }

    /**
     * The column's dictionary, which has been read, to be compared with others; {@link
     * EncodedDictionary#NONE} if it is so large that they differ anyway, most likely.
     */
    public EncodedDictionary encodedDictionary(int column) {
        int length = footer.dictionaryLength(column);
        if (footer.dictionaryEntries(column) < 0 || length > MAX_COMPARED_BYTES) {
            return EncodedDictionary.NONE;
        }
        byte[] encoded = new byte[length];
        long at = footer.dictionaryOffset(column);
        copy(at, encoded, 0, length);
        return new EncodedDictionary(footer.dictionaryEntries(column), encoded);
    }

    /** Frees the memory of a dictionary until it is needed again. */
    public void forgetDictionary(int column) {
        dictionaries[column] = null;
    }

    private Dictionary readDictionary(int column, int entries) {
        BlockCursor cursor = DICTIONARY_CURSOR.get();
        try {
            return readDictionary(column, entries, cursor);
        } finally {
            cursor.close();
        }
    }

    private Dictionary readDictionary(int column, int entries, BlockCursor cursor) {
        cursor.openDictionary(
                this,
                column,
                footer.dictionaryOffset(column),
                footer.dictionaryLength(column),
                footer.dictionaryChecksum(column),
                entries);
        if (isLong(column)) {
            return cursor.longEntries();
        }
        BytesDictionary strings = cursor.entries();
        if (!strings.ascends()) {
            throw corrupt(column, SegmentFormat.DICTIONARY_BLOCK, "does not ascend");
        }
        return strings;
    }

    /** What the codes of the column's blocks of tokens mean; null if it has none. */
    public @Nullable TokenTable tokens(int column) {
        SegmentFooter.TokenPlace place = footer.tokens(column);
        if (place == null) {
            return null;
        }
        TokenTable table = tokens[column];
        if (table == null) {
            table = readTokens(column, place);
            tokens[column] = table;
        }
        return table;
    }

    private TokenTable readTokens(int column, SegmentFooter.TokenPlace place) {
        byte[] encoded = new byte[place.length()];
        copy(place.offset(), encoded, 0, place.length());
        int block = SegmentFormat.TOKENS_BLOCK;
        if (new BlockChecksum().of(column, block, encoded, 0, encoded.length) != place.checksum()) {
            throw corrupt(column, block, "does not match its checksum");
        }
        ByteParser parser = new ByteParser(encoded, where(column, block));
        TokenTable table = TokenTable.read(parser, where(column, block));
        parser.expectEnd();
        if (table.fingerprint() != place.fingerprint()) {
            throw corrupt(column, block, "does not match its fingerprint");
        }
        return table;
    }

    /** Decodes one block of a column, appending at {@code outRow}. */
    public void read(int column, int block, ColumnData out, int outRow) {
        BlockCursor cursor = CURSOR.get();
        try {
            cursor.open(this, column, block);
            cursor.append(0, cursor.rows(), out, outRow);
        } finally {
            cursor.close();
        }
    }

    /** Appends a block's bytes as they are, after checking them. */
    public EncodedBlock copyBlock(int column, int block, ByteBuilder out) {
        BlockCursor cursor = CURSOR.get();
        try {
            cursor.open(this, column, block);
        } finally {
            cursor.close();
        }
        return copyOpened(column, block, out);
    }

    /** The same of a block that a cursor has opened, and thus checked. */
    public EncodedBlock copyOpened(int column, int block, ByteBuilder out) {
        BlockTable table = footer.table(column);
        int length = table.length(block);
        int at = out.reserve(length);
        copy(table.offset(block), out.array(), at, length);
        out.setLength(at + length);
        return new EncodedBlock(
                table.encoding(block),
                length,
                table.nullCount(block),
                statistics(column).maxLength(),
                table.min(block),
                table.max(block));
    }

    /**
     * Decodes one value. One load from a block of packed values or codes; a block of byte strings
     * has its lengths added up, and is decompressed if it is compressed.
     */
    public void readRow(int column, long row, ColumnData out, int outRow) {
        try {
            RowReader.read(this, column, row, out, outRow);
        } catch (InternalError e) {
            throw unreadable(e);
        }
    }

    /** Decodes a row of some columns, to those of {@code out} with the same numbers. */
    public void readRow(int[] columns, long row, ColumnBatch out, int outRow) {
        try {
            RowReader.read(this, columns, row, out, outRow);
        } catch (InternalError e) {
            throw unreadable(e);
        }
    }

    void readByCursor(int column, int block, int inBlock, ColumnData out, int outRow) {
        BlockCursor cursor = CURSOR.get();
        try {
            cursor.open(this, column, block);
            cursor.append(inBlock, 1, out, outRow);
        } finally {
            cursor.close();
        }
    }

    /**
     * First row whose key is not less than {@code encodedKey}; the row count if there is none. Only
     * for segments in key order.
     */
    public long lowerBound(byte[] encodedKey) {
        return lowerBound(encodedKey, null);
    }

    /**
     * The same.
     *
     * @param lent looks at rows, and goes to this segment; null: a new one does
     */
    public long lowerBound(byte[] encodedKey, @Nullable KeyReader lent) {
        if (!footer.sorted()) {
            throw new IllegalStateException(name + " is not in key order");
        }
        byte[][] keys = footer.keys();
        int low = 0;
        int high = keys.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Arrays.compareUnsigned(keys[middle], encodedKey) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            return 0;
        }
        if (low == keys.length) {
            return rowCount();
        }
        long from = footer.keyRows()[low - 1] + 1;
        try {
            KeyReader rows = lent == null ? new KeyReader(this) : lent;
            rows.goTo(this);
            return rows.lowerBound(encodedKey, from, footer.keyRows()[low]);
        } catch (InternalError e) {
            throw unreadable(e);
        }
    }

    /** Encoded key of a row. */
    public byte[] key(long row) {
        return new KeyReader(this).copyOfKey(row);
    }

    /** Encoded keys of rows {@code from}, {@code from + step} and so on, before row {@code to}. */
    public List<byte[]> keys(long from, long to, long step) {
        return from < to ? new KeyReader(this).keys(from, to, step) : List.of();
    }

    /** Checks every checksum and decodes every block. */
    public void verify() {
        BlockCursor cursor = new BlockCursor();
        SegmentReader fresh = unread();
        for (int column = 0; column < schema.columnCount(); column++) {
            ColumnData out =
                    isLong(column)
                            ? new LongColumn(SegmentFormat.BLOCK_ROWS)
                            : new BytesColumn(SegmentFormat.BLOCK_ROWS, 1024);
            for (int block = 0; block < blockCount(); block++) {
                cursor.open(fresh, column, block);
                cursor.append(0, cursor.rows(), out, 0);
            }
            Dictionary _ = fresh.dictionary(column);
            TokenTable _ = fresh.tokens(column);
        }
    }

    /** The same segment, of which no block has been checked yet. */
    public SegmentReader unread() {
        return open(schema, source, heapBytes, heapOffset, name, known);
    }

    /** Whether the column's values are longs. */
    public boolean isLong(int column) {
        return schema.column(column).type().kind() == PhysicalKind.LONG;
    }

    KeyCodec codec() {
        return codec;
    }

    BlockTable table(int column) {
        return footer.table(column);
    }

    MemorySegment bytes() {
        return source.bytes();
    }

    /** Copies bytes of the segment; {@code IO} if they cannot be read. */
    void copy(long offset, byte[] target, int at, int length) {
        try {
            MemoryCopy.read(bytes(), offset, target, at, length);
        } catch (InternalError e) {
            throw unreadable(e);
        }
    }

    /** The same of one byte. */
    byte byteAt(long offset) {
        try {
            return bytes().get(ValueLayout.JAVA_BYTE, offset);
        } catch (InternalError e) {
            throw unreadable(e);
        }
    }

    /** The rows have been read, and will not be again. */
    public void letGo() {
        source.letGo();
    }

    byte @Nullable [] heapBytes() {
        return heapBytes;
    }

    int heapOffset() {
        return heapOffset;
    }

    boolean isVerified(int column, int block) {
        return checked.isVerified(column, block);
    }

    BlockChecks checked() {
        return checked;
    }

    /** For messages: segment, column and block. */
    String where(int column, int block) {
        return name
                + ": column "
                + schema.column(column).name()
                + ", "
                + switch (block) {
                    case SegmentFormat.DICTIONARY_BLOCK -> "dictionary";
                    case SegmentFormat.TOKENS_BLOCK -> "token table";
                    default -> "block " + block;
                };
    }

    /**
     * What {@code InternalError} means here: a page of a mapped file could not be read. Java may
     * throw it some calls later than where the page was touched, so whoever reads much of one
     * segment catches it too, and so does whoever answers with what was read.
     */
    public PenstockException unreadable(InternalError cause) {
        return unreadable(name, cause);
    }

    /** The same of a segment that is being opened. */
    public static PenstockException unreadable(String name, InternalError cause) {
        return PenstockException.io(
                "cannot read " + name + ": its disk failed, or it was cut", cause);
    }

    PenstockException corrupt(int column, int block, String fault) {
        return PenstockException.corrupt(where(column, block) + " " + fault);
    }
}
