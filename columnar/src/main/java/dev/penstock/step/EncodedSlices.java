package dev.penstock.step;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.segment.BlockTarget;
import dev.penstock.segment.EncodedBlock;
import dev.penstock.segment.SegmentWriter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Blocks of several slices of a batch, encoded column after column and kept until all columns are
 * done. Phases: {@link #begin}; then, for each column and slice in any order, {@link #goTo} and its
 * blocks, encoded to the end of {@link #bytes}; then {@link #write} for each slice. Owned by one
 * thread; keeps its memory.
 */
final class EncodedSlices implements BlockTarget {
    private final int columnCount;
    private final ByteBuilder bytes = new ByteBuilder(0);
    private final List<EncodedBlock> blocks = new ArrayList<>();

    /** Where the bytes of each block begin. */
    private int[] starts = new int[64];

    // Of each column of each slice, all columns of a slice together
    private int[] firstBlocks = new int[0];
    private int[] endBlocks = new int[0];
    private boolean[] overflows = new boolean[0];
    private @Nullable Dictionary[] dictionaries = new Dictionary[0];
    private @Nullable TokenTable[] tables = new TokenTable[0];
    private int current;

    EncodedSlices(int columnCount) {
        this.columnCount = columnCount;
    }

    /** Forgets all blocks and makes room for slices. */
    void begin(int sliceCount) {
        int count = Math.multiplyExact(sliceCount, columnCount);
        bytes.clear();
        blocks.clear();
        if (firstBlocks.length < count) {
            firstBlocks = new int[count];
            endBlocks = new int[count];
            overflows = new boolean[count];
            dictionaries = new Dictionary[count];
            tables = new TokenTable[count];
        }
        Arrays.fill(firstBlocks, 0);
        Arrays.fill(endBlocks, 0);
        Arrays.fill(overflows, false);
        Arrays.fill(dictionaries, null);
        Arrays.fill(tables, null);
    }

    /** What comes next is of this column of this slice. */
    void goTo(int slice, int column) {
        current = slice * columnCount + column;
        firstBlocks[current] = blocks.size();
        endBlocks[current] = blocks.size();
    }

    /** Where blocks are to be encoded. */
    ByteBuilder bytes() {
        return bytes;
    }

    @Override
    public void dictionary(int column, Dictionary dictionary) {
        dictionaries[current] = dictionary;
    }

    @Override
    public void tokens(int column, TokenTable table, boolean inside) {
        tables[current] = table;
    }

    @Override
    public void overflowed(int column) {
        overflows[current] = true;
    }

    @Override
    public void addInPlace(int column, EncodedBlock block, ByteBuilder out) {
        int number = blocks.size();
        if (number == starts.length) {
            starts = Arrays.copyOf(starts, 2 * number);
        }
        starts[number] = out.length() - block.length();
        blocks.add(block);
        endBlocks[current] = number + 1;
    }

    /** Bytes of all blocks of a slice. */
    int byteCount(int slice) {
        int sum = 0;
        for (int place = slice * columnCount; place < (slice + 1) * columnCount; place++) {
            for (int i = firstBlocks[place]; i < endBlocks[place]; i++) {
                sum += blocks.get(i).length();
            }
        }
        return sum;
    }

    /** Writes all columns of a slice. */
    void write(int slice, SegmentWriter writer) {
        for (int column = 0; column < columnCount; column++) {
            int place = slice * columnCount + column;
            Dictionary dictionary = dictionaries[place];
            if (dictionary != null) {
                writer.dictionary(column, dictionary);
            }
            TokenTable table = tables[place];
            if (table != null) {
                writer.tokens(column, table, false);
            }
            if (overflows[place]) {
                writer.overflowed(column);
            }
            for (int i = firstBlocks[place]; i < endBlocks[place]; i++) {
                writer.add(column, blocks.get(i), bytes.array(), starts[i]);
            }
        }
    }
}
