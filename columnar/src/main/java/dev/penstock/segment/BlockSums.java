package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnSums;
import dev.penstock.batch.LongColumn;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.NullSlots;
import dev.penstock.kernel.ValueSums;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The {@link ColumnSums} of one column of the segments that a merge makes, recomputed from the
 * bytes of each block right after they were encoded, while they are in the cache: a wrong encoding
 * is noticed as a lost row is. Codes of a dictionary are counted, and each entry is hashed once.
 *
 * <p>{@link #begin} starts a merge, {@link #add} takes blocks in any number, {@link #take} ends a
 * segment. Owned by one thread; the memory to decode in is shared by the columns of a merge.
 */
public final class BlockSums {
    /** Memory that columns use in turn. */
    public static final class Stage {
        private final BlockCursor cursor = new BlockCursor();
        private final LongColumn longs = new LongColumn(SegmentFormat.BLOCK_ROWS);
        private final BytesColumn strings = new BytesColumn(SegmentFormat.BLOCK_ROWS, 0);
        private int[] tokens = new int[0];
    }

    private static final long[] NO_HASHES = new long[0];

    private final Stage stage;

    private @Nullable TokenTable tokens;

    /** Of each entry of the dictionary. */
    private long[] hashes = NO_HASHES;

    /** How often each code came since {@link #take}, in the slots of NULLs too. */
    private int[] counts = new int[0];

    private long sum;

    public BlockSums(Stage stage) {
        this.stage = stage;
    }

    /**
     * Starts a merge.
     *
     * @param dictionary what codes mean, if the column has one
     * @param table what tokens mean, if there are any
     */
    public void begin(@Nullable Dictionary dictionary, @Nullable TokenTable table) {
        tokens = table;
        sum = 0;
        hashes = NO_HASHES;
        if (dictionary != null) {
            hashes = new long[dictionary.size()];
            Arrays.setAll(hashes, code -> SegmentChecksum.hash(dictionary, code));
            int codes = 1 << BitPacking.bitsFor(Math.max(0, hashes.length - 1));
            counts = counts.length < codes ? new int[codes] : counts;
            Arrays.fill(counts, 0);
        }
    }

    /**
     * Adds a block of {@code rows} rows.
     *
     * @param bytes has the block from {@code at} on
     */
    public void add(EncodedBlock block, int rows, byte[] bytes, int at) {
        BlockCursor cursor = stage.cursor;
        cursor.openEncoded(block, rows, bytes, at);
        sum += cursor.nullCount * ValueSums.NULL_HASH;
        switch (cursor.encoding) {
            case SegmentFormat.BLOCK_CODES -> addCodes(cursor);
            case SegmentFormat.BLOCK_TOKENS -> addTokens(cursor);
            case SegmentFormat.BLOCK_BYTES_PLAIN -> {
                int[] offsets = offsets(cursor, cursor.dataAt);
                sum += strings(cursor, offsets, cursor.bytes);
            }
            case SegmentFormat.BLOCK_BYTES_LZ4 -> {
                BytesColumn out = stage.strings;
                out.offsets()[0] = 0;
                cursor.strings(0, rows, 0, out, 0);
                sum += strings(cursor, out.offsets(), out.data());
            }
            default -> {
                long[] values = stage.longs.values();
                cursor.longs(0, rows, values, 0);
                if (cursor.nullCount > 0) {
                    NullSlots.fill(values, 0, rows, cursor.words, 0, 0);
                }
                sum += ValueSums.ofLongs(values, 0, rows);
                sum -= cursor.nullCount * ValueSums.hash(0);
            }
        }
        cursor.close();
    }

    private void addCodes(BlockCursor cursor) {
        int rows = cursor.rows;
        int[] codes = cursor.ints;
        BitPacking.unpack(cursor.bytes, cursor.packedAt, 0, rows, cursor.bits, codes, 0);
        ValueSums.countCodes(codes, rows, counts);
        if (cursor.nullCount > 0) {
            for (int i = 0; i < rows; i++) {
                counts[codes[i]] -= (int) (~cursor.words[i >> 6] >>> i) & 1;
            }
        }
    }

    private void addTokens(BlockCursor cursor) {
        TokenTable table = tokens;
        if (table == null) {
            throw new IllegalStateException("tokens without a table");
        }
        int[] starts = offsets(cursor, 0);
        int rows = cursor.rows;
        int codes = cursor.dataLength;
        if (stage.tokens.length < codes) {
            stage.tokens = new int[codes + (codes >> 2)];
        }
        int[] unpacked = stage.tokens;
        BitPacking.unpack(cursor.bytes, cursor.dataAt, 0, codes, cursor.codeBits, unpacked, 0);
        stage.strings.ensureBytes((long) codes * TokenTable.MAX_TOKEN_BYTES + TokenTable.SLACK);
        byte[] data = stage.strings.data();
        table.decodeRows(unpacked, starts, rows, data);
        sum += strings(cursor, starts, data);
    }

    /** The sum of a block's byte strings but for NULLs, which are empty. */
    private static long strings(BlockCursor cursor, int[] offsets, byte[] data) {
        long all = ValueSums.ofStrings(offsets, data, 0, cursor.rows);
        return all - cursor.nullCount * ValueSums.hash(data, 0, 0);
    }

    /** Where each of a block's rows begins, and the last one ends. */
    private int[] offsets(BlockCursor cursor, int start) {
        int rows = cursor.rows;
        int[] offsets = stage.strings.offsets();
        cursor.lengths(0, rows, offsets, 1);
        ValueSums.startsOfLengths(offsets, start, rows);
        return offsets;
    }

    /** The sum of the blocks since the last call, or since {@link #begin}. */
    public long take() {
        long taken = sum;
        for (int code = 0; code < hashes.length; code++) {
            taken += counts[code] * hashes[code];
            counts[code] = 0;
        }
        sum = 0;
        return taken;
    }
}
