package dev.penstock.segment;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.dict.TokenTable;
import dev.penstock.kernel.BitPacking;

import org.jspecify.annotations.Nullable;

/** What the rows of a block take in memory, known before they are decoded. */
public final class BlockMemory {
    /** Rows may have the longer ones of a dictionary's entries more often than others. */
    private static final int ENTRY_SKEW = 4;

    /** A code of a token table in memory. */
    private static final int TOKEN_BYTES = 2;

    private BlockMemory() {}

    /** Bytes of a block as it is stored. */
    public static int stored(SegmentReader reader, int column, int block) {
        return reader.table(column).length(block);
    }

    /**
     * The most bytes that a block's values have in memory; of entries of a dictionary and of packed
     * values about.
     *
     * @param staysCodes whether values from a dictionary are not looked up
     * @param table if not null, byte strings become codes of it
     */
    public static long decoded(
            SegmentReader reader,
            int column,
            int block,
            boolean staysCodes,
            @Nullable TokenTable table) {
        BlockTable blocks = reader.table(column);
        int rows = reader.blockRows(block);
        byte encoding = blocks.encoding(block);
        if (encoding == SegmentFormat.BLOCK_CODES && (staysCodes || reader.isLong(column))) {
            return 4L * rows;
        }
        long length = blocks.length(block);
        long bytes =
                switch (encoding) {
                    case SegmentFormat.BLOCK_CODES ->
                            Math.min(
                                    rows * entryBytes(reader, column),
                                    SegmentFormat.mostBytes(rows));
                    case SegmentFormat.BLOCK_BYTES_LZ4 -> decompressed(reader, column, block);
                    case SegmentFormat.BLOCK_TOKENS -> tokenBytes(reader, column, block, table);
                    case SegmentFormat.BLOCK_MULTIPLES, SegmentFormat.BLOCK_DECIMALS -> 8L * rows;
                    default -> length;
                };
        return table == null ? bytes : TOKEN_BYTES * bytes;
    }

    private static long entryBytes(SegmentReader reader, int column) {
        int entries = Math.max(1, reader.dictionaryEntries(column));
        long mean = reader.dictionaryLength(column) / entries + 1L;
        return Math.min(reader.statistics(column).maxLength(), ENTRY_SKEW * mean) + 4;
    }

    /**
     * Codes, of eight bits at least, if they are of the same table, else the bytes they stand for.
     */
    private static long tokenBytes(
            SegmentReader reader, int column, int block, @Nullable TokenTable table) {
        BlockTable blocks = reader.table(column);
        long length = blocks.length(block);
        if (table != null) {
            TokenTable own = reader.tokens(column);
            if (own != null && own.fingerprint() == table.fingerprint()) {
                return length;
            }
        }
        int rows = reader.blockRows(block);
        long longest = (long) rows * reader.statistics(column).maxLength();
        long ofCodes = length * TokenTable.MAX_TOKEN_BYTES;
        return Math.min(Math.min(longest, ofCodes), SegmentFormat.mostBytes(rows));
    }

    /** What the block says itself; it is checked when it is decoded. */
    private static long decompressed(SegmentReader reader, int column, int block) {
        BlockTable blocks = reader.table(column);
        int rows = reader.blockRows(block);
        int values = rows - blocks.nullCount(block);
        long validity = 0 < values && values < rows ? 8L * ((rows + 63) >> 6) : 0;
        long bitsAt = blocks.offset(block) + validity + 4;
        long end = blocks.offset(block) + blocks.length(block);
        byte[] read = new byte[4];
        if (bitsAt >= end) {
            return 0;
        }
        reader.copy(bitsAt, read, 0, 1);
        long lengthAt = bitsAt + 1 + BitPacking.packedBytes(values, read[0] & 0xFF);
        if (lengthAt + 4 > end) {
            return 0;
        }
        reader.copy(lengthAt, read, 0, 4);
        return Math.clamp(ByteAccess.getInt(read, 0), 0, SegmentFormat.mostBytes(rows));
    }
}
