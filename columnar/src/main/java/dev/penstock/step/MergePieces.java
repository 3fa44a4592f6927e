package dev.penstock.step;

import dev.penstock.segment.SegmentReader;

import java.util.Arrays;

/**
 * Rows that follow each other and are not decoded yet, as stretches of blocks of runs. Filled by
 * {@link #add}, emptied from the front by {@link #drop}; in between each column goes over them by a
 * {@link PieceWalk}. Changed by one thread, while nobody walks.
 */
final class MergePieces {
    private static final SegmentReader[] NO_READERS = new SegmentReader[0];

    private SegmentReader[] readers = NO_READERS;
    private int[] runs = new int[0];
    private int[] blocks = new int[0];
    private int[] firsts = new int[0];
    private int[] counts = new int[0];
    private int size;
    private int rowCount;

    /** Appends the rows of a unit as they come. */
    void add(MergeUnits unit) {
        for (int slice = 0; slice < unit.sliceCount(); slice++) {
            SegmentReader reader = unit.reader(slice);
            long from = unit.from(slice);
            long to = unit.to(slice);
            while (from < to) {
                int block = reader.blockOf(from);
                int first = (int) (from - reader.blockStartRow(block));
                int count = (int) Math.min(to - from, (long) reader.blockRows(block) - first);
                add(reader, unit.run(slice), block, first, count);
                from += count;
            }
        }
    }

    private void add(SegmentReader reader, int run, int block, int first, int count) {
        int last = size - 1;
        if (last >= 0
                && runs[last] == run
                && readers[last] == reader
                && blocks[last] == block
                && firsts[last] + counts[last] == first) {
            counts[last] += count;
            rowCount += count;
            return;
        }
        if (size == runs.length) {
            int room = Math.max(16, 2 * size);
            readers = Arrays.copyOf(readers, room);
            runs = Arrays.copyOf(runs, room);
            blocks = Arrays.copyOf(blocks, room);
            firsts = Arrays.copyOf(firsts, room);
            counts = Arrays.copyOf(counts, room);
        }
        readers[size] = reader;
        runs[size] = run;
        blocks[size] = block;
        firsts[size] = first;
        counts[size] = count;
        size++;
        rowCount += count;
    }

    /** Forgets the first rows. */
    void drop(int rows) {
        int gone = 0;
        int left = rows;
        while (gone < size && left >= counts[gone]) {
            left -= counts[gone];
            gone++;
        }
        int kept = size - gone;
        System.arraycopy(readers, gone, readers, 0, kept);
        System.arraycopy(runs, gone, runs, 0, kept);
        System.arraycopy(blocks, gone, blocks, 0, kept);
        System.arraycopy(firsts, gone, firsts, 0, kept);
        System.arraycopy(counts, gone, counts, 0, kept);
        if (left > 0) {
            firsts[0] += left;
            counts[0] -= left;
        }
        Arrays.fill(readers, kept, size, null);
        size = kept;
        rowCount -= rows;
    }

    void clear() {
        Arrays.fill(readers, 0, size, null);
        size = 0;
        rowCount = 0;
    }

    int rowCount() {
        return rowCount;
    }

    /**
     * Where a block that begins at row {@code from} best ends, so that blocks of runs can be taken
     * as they are: behind the block of a run that begins there, else before the next one that
     * begins later. Blocks of less than {@code least} rows are neither taken nor made for it.
     *
     * @param from negative if so many rows come before the first of these
     * @param most rows that the block may have
     * @return how many rows it should have; 0 if any number is as good
     */
    int blockRows(int from, int least, int most) {
        int best = 0;
        int start = 0;
        for (int i = 0; i < size && start - from <= most; i++) {
            int rows = start - from;
            int blockRows = readers[i].blockRows(blocks[i]);
            boolean begins = firsts[i] == 0 && blockRows >= least;
            if (begins && rows == 0 && counts[i] == blockRows && blockRows <= most) {
                return blockRows;
            }
            if (begins && rows >= least) {
                best = rows;
            }
            start += counts[i];
        }
        return best;
    }

    /** Whether some of the rows are of the run. */
    boolean hasRowsOf(SegmentReader run) {
        for (int i = 0; i < size; i++) {
            if (readers[i] == run) {
                return true;
            }
        }
        return false;
    }

    /** How many stretches there are. */
    int size() {
        return size;
    }

    /** The run of a stretch. */
    int run(int piece) {
        return runs[piece];
    }

    SegmentReader reader(int piece) {
        return readers[piece];
    }

    /** The block that a stretch is in. */
    int block(int piece) {
        return blocks[piece];
    }

    /** The first of a stretch's rows, in its block. */
    int first(int piece) {
        return firsts[piece];
    }

    /** Rows of a stretch. */
    int count(int piece) {
        return counts[piece];
    }
}
