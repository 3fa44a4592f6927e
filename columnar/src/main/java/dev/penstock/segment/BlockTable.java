package dev.penstock.segment;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;

import java.util.Arrays;

/**
 * References to the blocks of one column by block number, as a footer has them: all that there is
 * to know about a block is next to each other, because a merge of many runs asks about so many
 * blocks that none of it is in the cache.
 */
final class BlockTable {
    private static final int OFFSET = 1;
    private static final int LENGTH = 9;
    private static final int CHECKSUM = 13;
    private static final int NULL_COUNT = 17;
    private static final int MIN = 21;
    private static final int MAX = 29;

    private byte[] bytes;
    private final int from;

    /** Of no blocks yet. */
    BlockTable() {
        this(new byte[16 * SegmentFormat.BLOCK_REFERENCE_BYTES], 0);
    }

    /** Of the blocks whose references begin at {@code from}; the bytes are kept. */
    BlockTable(byte[] bytes, int from) {
        this.bytes = bytes;
        this.from = from;
    }

    private int at(int block) {
        return from + block * SegmentFormat.BLOCK_REFERENCE_BYTES;
    }

    byte encoding(int block) {
        return bytes[at(block)];
    }

    long offset(int block) {
        return ByteAccess.getLong(bytes, at(block) + OFFSET);
    }

    int length(int block) {
        return ByteAccess.getInt(bytes, at(block) + LENGTH);
    }

    int checksum(int block) {
        return ByteAccess.getInt(bytes, at(block) + CHECKSUM);
    }

    int nullCount(int block) {
        return ByteAccess.getInt(bytes, at(block) + NULL_COUNT);
    }

    long min(int block) {
        return ByteAccess.getLong(bytes, at(block) + MIN);
    }

    long max(int block) {
        return ByteAccess.getLong(bytes, at(block) + MAX);
    }

    /** Sets the reference to a block, of a table that was made without any. */
    void set(int number, EncodedBlock block, long offset, int checksum) {
        int at = at(number);
        if (at + SegmentFormat.BLOCK_REFERENCE_BYTES > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        bytes[at] = block.encoding();
        ByteAccess.putLong(bytes, at + OFFSET, offset);
        ByteAccess.putInt(bytes, at + LENGTH, block.length());
        ByteAccess.putInt(bytes, at + CHECKSUM, checksum);
        ByteAccess.putInt(bytes, at + NULL_COUNT, block.nullCount());
        ByteAccess.putLong(bytes, at + MIN, block.min());
        ByteAccess.putLong(bytes, at + MAX, block.max());
    }

    /** Appends the references to the first blocks. */
    void write(int blockCount, ByteBuilder out) {
        out.write(bytes, from, blockCount * SegmentFormat.BLOCK_REFERENCE_BYTES);
    }

    /** NULLs in the first blocks; and so on for the other sums and bounds. */
    long nullCountOf(int blockCount) {
        long sum = 0;
        for (int i = 0; i < blockCount; i++) {
            sum += nullCount(i);
        }
        return sum;
    }

    long bytesOf(int blockCount) {
        long sum = 0;
        for (int i = 0; i < blockCount; i++) {
            sum += length(i);
        }
        return sum;
    }

    long minOf(int blockCount) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < blockCount; i++) {
            min = Math.min(min, min(i));
        }
        return min;
    }

    long maxOf(int blockCount) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < blockCount; i++) {
            max = Math.max(max, max(i));
        }
        return max;
    }
}
