package dev.penstock.sampler;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.key.KeyCodec;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whole records of some blocks, which become rows in one call: a sample is taken when hardly any
 * code is compiled, and a call for each of many small blocks costs more than their rows.
 *
 * <p>Phases: blocks are {@link #add added}, which copies their text; {@link #convert converted}, or
 * one block {@link #convertAlone alone} instead of both; their keys {@link #encodeKeys encoded};
 * then rows, keys and weights of each block can be read until {@link #clear}. What {@link #keys}
 * answers stays. Owned by one thread.
 */
final class BlockGroup {
    static final int KEPT_REJECTS = 10;

    private static final int FIRST_BLOCKS = 64;

    private final Deserialize deserialize;
    private final KeyCodec codec;
    private final ColumnBatch batch;
    private final ByteBuilder text = new ByteBuilder(1 << 16);
    private final ByteBuilder keyBytes = new ByteBuilder(1 << 14);
    private final List<Reject> firstRejects = new ArrayList<>();
    private int[] keyEnds = new int[0];
    private int[] weights = new int[0];

    // What the blocks' keys share, if there is room for all.
    private byte[] keptBytes = new byte[0];
    private int[] keptEnds = new int[0];
    private boolean allKept;
    private long mostKeptBytes;

    private int blockCount;
    private int recordCount;

    /** By block: where its text and its rows end. */
    private int[] textEnds = new int[FIRST_BLOCKS];

    private int[] rowEnds = new int[FIRST_BLOCKS];

    BlockGroup(TableSchema schema, Dialect dialect, List<Integer> fieldColumns) {
        deserialize = new Deserialize(schema, dialect, fieldColumns, 0);
        codec = new KeyCodec(schema);
        batch = ColumnBatch.forColumns(schema.columns(), 1024);
    }

    void clear() {
        text.clear();
        batch.clear();
        firstRejects.clear();
        blockCount = 0;
        recordCount = 0;
    }

    /** Adds a block, which is {@code source[from, to)}, and answers its number. */
    int add(byte[] source, int from, int to) {
        text.write(source, from, to - from);
        if (blockCount == textEnds.length) {
            textEnds = Arrays.copyOf(textEnds, 2 * blockCount);
            rowEnds = Arrays.copyOf(rowEnds, 2 * blockCount);
        }
        textEnds[blockCount] = text.length();
        return blockCount++;
    }

    /** Makes rows of all blocks, which are of one source. */
    void convert(int source) {
        text.reserve(Deserialize.PADDING);
        deserialize.runParts(
                text.array(), textEnds, blockCount, source, batch, rowEnds, this::keepReject);
        recordCount = Math.toIntExact(deserialize.recordCount());
    }

    /** Makes rows of one block alone, {@code source[from, to)}, whose number is 0. */
    void convertAlone(byte[] source, int from, int to, int sourceIndex) {
        clear();
        deserialize.run(source, from, to, sourceIndex, 0, 0, batch, this::keepReject);
        recordCount = Math.toIntExact(deserialize.recordCount());
        textEnds[0] = to - from;
        rowEnds[0] = batch.rowCount();
        blockCount = 1;
    }

    private void keepReject(Reject reject) {
        if (firstRejects.size() < KEPT_REJECTS) {
            firstRejects.add(reject);
        }
    }

    /**
     * Encodes the keys of all rows.
     *
     * @param mostBytesPerBlock most bytes of keys that {@link #keys} are to keep, on average
     */
    void encodeKeys(long mostBytesPerBlock) {
        int rows = batch.rowCount();
        if (keyEnds.length < rows) {
            keyEnds = new int[rows + (rows >> 1)];
            weights = new int[keyEnds.length];
        }
        keyBytes.clear();
        codec.encodeAll(batch, rows, keyBytes, keyEnds);
        mostKeptBytes = mostBytesPerBlock;
        allKept = keyBytes.length() <= mostBytesPerBlock * blockCount;
        if (allKept) {
            keptBytes = keyBytes.toByteArray();
            keptEnds = Arrays.copyOf(keyEnds, rows);
        }
    }

    /** The keys of a block, to be kept: all of them, or so many as there is room for. */
    KeyBlock keys(int block, boolean inOrder) {
        int from = rowsBefore(block);
        int to = rowsBefore(block + 1);
        double rowsPerByte = (double) (to - from) / textBytes(block);
        if (allKept) {
            return new KeyBlock(keptBytes, keptEnds, from, to, inOrder, rowsPerByte);
        }
        int start = from == 0 ? 0 : keyEnds[from - 1];
        int[] ends = new int[to - from];
        int count = 0;
        while (count < ends.length && keyEnds[from + count] - start <= mostKeptBytes) {
            ends[count] = keyEnds[from + count] - start;
            count++;
        }
        int bytes = count == 0 ? 0 : ends[count - 1];
        byte[] kept = Arrays.copyOfRange(keyBytes.array(), start, start + bytes);
        return new KeyBlock(kept, Arrays.copyOf(ends, count), 0, count, inOrder, rowsPerByte);
    }

    /** The encoded key of the first row. */
    byte[] firstKey() {
        return codec.encode(batch, 0);
    }

    int blockCount() {
        return blockCount;
    }

    /** Bytes of all text that was added. */
    int textBytes() {
        return text.length();
    }

    /** Bytes of a block's text. */
    int textBytes(int block) {
        return textEnds[block] - (block == 0 ? 0 : textEnds[block - 1]);
    }

    /** Records of all blocks. */
    int recordCount() {
        return recordCount;
    }

    /** Rows of all blocks before one; its own begin there. */
    int rowsBefore(int block) {
        return block == 0 ? 0 : rowEnds[block - 1];
    }

    /** The share of records that do not fit the table; 1 without records. */
    double misfit() {
        return recordCount == 0 ? 1 : (double) (recordCount - batch.rowCount()) / recordCount;
    }

    /** The first records that do not fit the table. */
    List<Reject> firstRejects() {
        return firstRejects;
    }

    /** The rows of all blocks. */
    ColumnBatch batch() {
        return batch;
    }

    /** The keys of all rows, one after another, as {@link #encodeKeys} left them. */
    byte[] keyBytes() {
        return keyBytes.array();
    }

    /** Where each row's key ends. */
    int[] keyEnds() {
        return keyEnds;
    }

    /** For a weight of each row, once keys are encoded; the caller's to fill. */
    int[] weights() {
        return weights;
    }
}
