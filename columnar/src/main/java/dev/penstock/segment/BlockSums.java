package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnSums;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.kernel.ValueSums;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * What the blocks of one column of a merge add to {@link ColumnSums}, recomputed from the bytes of
 * each block right after they were encoded, while they are in the cache: a wrong encoding is
 * noticed as a lost row is. Blocks are decoded and hashed a window of rows at a time, so that what
 * is decoded stays in the fastest cache; of a dictionary each entry is hashed once.
 *
 * <p>{@link #begin} starts a merge, {@link #of} takes its blocks. Owned by one thread at a time;
 * the memory to decode in is lent by it.
 */
public final class BlockSums {
    private static final int WINDOW = ValueSums.WINDOW;

    /** Between blocks. */
    private static final Stage NONE = new Stage();

    /** Distances of so many bits are decoded as ints. */
    private static final int MAX_DISTANCE_BITS = 31;

    /** Memory of one thread, which columns use in turn. */
    public static final class Stage {
        private final BlockCursor cursor = new BlockCursor();
        private final BytesColumn strings = new BytesColumn(SegmentFormat.BLOCK_ROWS, 0);
        private final int[] ends = new int[WINDOW + 1];
        private final int[] ints = new int[WINDOW];
        private final long[] hashes = new long[WINDOW];
        private byte[] tokens = new byte[0];
        private int[] positions = new int[0];

        private void ensureTokens(int count) {
            if (positions.length <= count) {
                positions = new int[count + (count >> 2) + 1];
                tokens = new byte[2 * positions.length];
            }
            strings.ensureBytes((long) count * TokenTable.MAX_TOKEN_BYTES + TokenTable.SLACK);
        }
    }

    private Stage stage = NONE;

    private @Nullable TokenTable tokens;

    /** Of the dictionary's entries. */
    private CodeSums codes = new CodeSums(new long[0]);

    private long sum;

    /**
     * Starts a merge.
     *
     * @param dictionary what codes mean, if the column has one
     * @param table what tokens mean, if there are any
     */
    public void begin(@Nullable Dictionary dictionary, @Nullable TokenTable table) {
        tokens = table;
        long[] hashes = new long[dictionary == null ? 0 : dictionary.size()];
        if (dictionary != null) {
            Arrays.setAll(hashes, code -> SegmentChecksum.hash(dictionary, code));
        }
        codes = new CodeSums(hashes);
    }

    /**
     * The sum of a block of {@code rows} rows.
     *
     * @param bytes has the block from {@code at} on
     * @param memory of the calling thread
     */
    public long of(EncodedBlock block, int rows, byte[] bytes, int at, Stage memory) {
        stage = memory;
        BlockCursor cursor = stage.cursor;
        cursor.openEncoded(block, rows, bytes, at);
        sum = cursor.nullCount * ValueSums.NULL_HASH;
        add(cursor, bytes);
        cursor.close();
        stage = NONE;
        return sum;
    }

    /** Adds a block's values; NULLs are not among them. */
    private void add(BlockCursor cursor, byte[] bytes) {
        switch (cursor.encoding) {
            case SegmentFormat.BLOCK_CODES ->
                    sum += codes.of(bytes, cursor.packedAt, cursor.valueCount, cursor.bits);
            case SegmentFormat.BLOCK_TOKENS -> addTokens(cursor);
            case SegmentFormat.BLOCK_BYTES_PLAIN -> {
                findStarts(cursor, cursor.dataAt);
                addStrings(cursor, cursor.bytes);
            }
            case SegmentFormat.BLOCK_BYTES_LZ4 -> {
                findStarts(cursor, 0);
                cursor.decompressAll(stage.strings);
                addStrings(cursor, stage.strings.data());
            }
            default -> addLongs(cursor);
        }
    }

    private void addLongs(BlockCursor cursor) {
        long[] hashes = stage.hashes;
        boolean distances = cursor.hasDistances() && cursor.bits <= MAX_DISTANCE_BITS;
        for (int first = 0; first < cursor.valueCount; first += WINDOW) {
            int count = Math.min(WINDOW, cursor.valueCount - first);
            if (distances) {
                int[] ints = stage.ints;
                cursor.distancesOfValues(first, count, 0, ints, 0);
                ValueSums.hashDistances(ints, count, cursor.base, hashes);
            } else {
                cursor.valuesAsLongs(first, count, hashes, 0);
                ValueSums.hashLongs(hashes, 0, count, hashes);
            }
            sum += ValueSums.sum(hashes, count);
        }
    }

    private void addStrings(BlockCursor cursor, byte[] data) {
        int[] starts = stage.strings.offsets();
        for (int first = 0; first < cursor.valueCount; first += WINDOW) {
            int count = Math.min(WINDOW, cursor.valueCount - first);
            sum += ValueSums.hashStrings(starts, data, first, count, stage.hashes);
        }
    }

    private void addTokens(BlockCursor cursor) {
        TokenTable table = tokens;
        if (table == null) {
            throw new IllegalStateException("tokens without a table");
        }
        findStarts(cursor, 0);
        int[] starts = stage.strings.offsets();
        int[] ends = stage.ends;
        for (int value = 0; value < cursor.valueCount; value += WINDOW) {
            int count = Math.min(WINDOW, cursor.valueCount - value);
            int first = starts[value];
            int codeCount = starts[value + count] - first;
            stage.ensureTokens(codeCount);
            cursor.unpackTokens(first, codeCount, stage.tokens);
            byte[] data = stage.strings.data();
            table.decode(stage.tokens, codeCount, data, stage.positions);
            endsOfValues(stage.positions, starts, value, count, ends);
            sum += ValueSums.hashStrings(ends, data, 0, count, stage.hashes);
        }
    }

    /** Writes where each value of a window begins, and the last one ends, among decoded bytes. */
    private static void endsOfValues(
            int[] positions, int[] starts, int from, int count, int[] ends) {
        int first = starts[from];
        for (int i = 0; i <= count; i++) {
            ends[i] = positions[starts[from + i] - first];
        }
    }

    /** Finds where each of a block's byte strings begins, and the last one ends. */
    private void findStarts(BlockCursor cursor, int start) {
        int[] offsets = stage.strings.offsets();
        offsets[0] = start;
        cursor.endsOfValues(0, cursor.valueCount, offsets, 0);
    }
}
