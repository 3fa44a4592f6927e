package dev.penstock.segment;

/**
 * What has been checked of a segment's blocks since its reader was opened. Used by several threads:
 * at worst something is checked by each of them.
 */
final class BlockChecks {
    private static final byte UNCHECKED = 0;

    /** The block's checksum is right, and its layout. */
    private static final byte VERIFIED = 1;

    /** Its codes are, too. */
    private static final byte ENTRIES_ONLY = 2;

    private final int columns;

    /** Block by block, and column by column within a block. */
    private final byte[] states;

    BlockChecks(int columns, int blocks) {
        this.columns = columns;
        this.states = new byte[Math.multiplyExact(columns, blocks)];
    }

    int heapBytes() {
        return states.length;
    }

    boolean isVerified(int column, int block) {
        return states[block * columns + column] != UNCHECKED;
    }

    void setVerified(int column, int block) {
        if (!isVerified(column, block)) {
            states[block * columns + column] = VERIFIED;
        }
    }

    /** Whether all codes of a block are known to be entries of its column's dictionary. */
    boolean hasEntriesOnly(int column, int block) {
        return states[block * columns + column] == ENTRIES_ONLY;
    }

    void setEntriesOnly(int column, int block) {
        states[block * columns + column] = ENTRIES_ONLY;
    }
}
