package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.kernel.BitRange;
import dev.penstock.schema.Column;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.EncodedBlock;
import dev.penstock.segment.SegmentReader;
import dev.penstock.sort.Gather;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One output column of a merge. Where rows follow each other in the runs, {@link
 * #encode(MergePieces, int)} makes one block at a time of the pieces that it consists of, within
 * the cache. Else, per unit: {@link #stage} puts the rows that were left over and the unit's rows,
 * in output order, into the stage that all columns share; {@link #encode(int, int)} makes blocks of
 * them; {@link #keep} takes what is left over. Blocks are kept here until all columns are done.
 *
 * <p>The values of a column with a dictionary are its codes.
 */
final class MergeColumn {
    private static final long[] NO_WORDS = new long[0];

    /** Distances of so many bits, moved by at most {@link #MAX_SUMMAND}, differ by an int. */
    private static final int MAX_DISTANCE_BITS = 29;

    private static final long MAX_SUMMAND = 1 << 29;

    /** Memory that columns use in turn: decoded rows, and rows in output order. */
    static final class Stage {
        private final Lane decoded = new Lane();
        private final Lane ordered = new Lane();
    }

    /** Rows of one column, in one of three forms. */
    private static final class Lane {
        private int[] codes = new int[0];
        private final Validity codeValidity = new Validity();
        private final LongColumn longs = new LongColumn(0);
        private final BytesColumn strings = new BytesColumn(0, 0);

        void ensureCodes(int rows) {
            if (codes.length < rows) {
                codes = Arrays.copyOf(codes, Math.max(rows, codes.length * 3 / 2));
            }
        }
    }

    private final int index;
    private final boolean isLong;
    private final int plainBytes;
    private final boolean compress;
    private final @Nullable Dictionary dictionary;
    private final MergeDictionaries dictionaries;
    private final BlockCursor cursor;
    private final BlockEncoder encoder;
    private final Stage stage;

    private final @Nullable MergeTokens tokens;
    private final Lane left = new Lane();
    private int leftRows;
    private int stagedRows;
    private long reference;
    private final ByteBuilder encoded = new ByteBuilder(0);
    private final List<EncodedBlock> blocks = new ArrayList<>();
    private int written;
    private int writtenBytes;

    MergeColumn(
            int index,
            Column column,
            MergeDictionaries dictionaries,
            BlockCursor cursor,
            BlockEncoder encoder,
            Stage stage,
            @Nullable MergeTokens tokens,
            boolean compress) {
        this.index = index;
        this.isLong = column.type().kind() == PhysicalKind.LONG;
        this.plainBytes = column.type().plainBytes();
        this.dictionaries = dictionaries;
        this.dictionary = dictionaries.dictionary(index);
        this.cursor = cursor;
        this.encoder = encoder;
        this.stage = stage;
        this.tokens = tokens;
        this.compress = compress;
    }

    /**
     * Puts left-over rows, pieces and the unit's rows into the stage.
     *
     * @param waiting rows left over and in pieces
     * @param order for each output row its row in the unit, or null if the unit's rows are the
     *     output's
     * @param rows output rows of the unit
     */
    void stage(MergePieces pieces, int waiting, MergeUnits unit, int @Nullable [] order, int rows) {
        if (tokens != null) {
            tokens.stage(pieces, waiting, unit, order, rows);
            return;
        }
        Lane target = stage.ordered;
        stageWaiting(pieces, waiting);
        if (order == null) {
            decode(unit, target, waiting);
        } else {
            Lane source = stage.decoded;
            clearValidity(source);
            int unitRows = decode(unit, source, 0);
            gather(source, unitRows, order, rows, target, waiting);
        }
        stagedRows = waiting + rows;
    }

    /** Puts left-over rows and then pieces into the stage, {@code rows} together. */
    private void stageWaiting(MergePieces pieces, int rows) {
        Lane target = stage.ordered;
        copy(left, 0, leftRows, target);
        ensureRows(target, rows);
        int row = leftRows;
        while (row < rows) {
            int count = pieces.next(rows - row);
            SegmentReader reader = pieces.reader();
            if (MergeDictionaries.has(reader, index)) {
                int block = pieces.block();
                cursor.open(reader, index, block);
                decodeBlock(pieces.run(), reader, block, pieces.first(), count, target, row);
            } else {
                fillMissing(count, target, row);
            }
            row += count;
        }
    }

    /** Encodes left-over rows and then pieces, {@code rows} together, as the next block. */
    void encode(MergePieces pieces, int rows) {
        if (tokens != null) {
            blocks.add(tokens.encode(pieces, rows, encoded));
            return;
        }
        if (isLong && dictionary == null && leftRows == 0) {
            pieces.mark();
            if (stageDistances(pieces, rows)) {
                blocks.add(
                        encoder.distances(
                                stage.ordered.codes, 0, rows, reference, plainBytes, encoded));
                return;
            }
            pieces.reset();
        }
        stageWaiting(pieces, rows);
        leftRows = 0;
        encode(0, rows);
    }

    /**
     * Puts pieces into the stage as distances from {@link #reference}; false if they are not all
     * packed in blocks whose bases are near each other, without NULLs.
     */
    private boolean stageDistances(MergePieces pieces, int rows) {
        stage.ordered.ensureCodes(rows);
        int[] out = stage.ordered.codes;
        int row = 0;
        while (row < rows) {
            int count = pieces.next(rows - row);
            if (!MergeDictionaries.has(pieces.reader(), index)) {
                return false;
            }
            cursor.open(pieces.reader(), index, pieces.block());
            if (!cursor.hasDistances()
                    || cursor.nullCount() > 0
                    || cursor.distanceBits() > MAX_DISTANCE_BITS) {
                return false;
            }
            if (row == 0) {
                reference = cursor.base();
            }
            long summand = cursor.base() - reference;
            boolean overflow = cursor.base() < reference != summand < 0;
            if (overflow || summand > MAX_SUMMAND || summand < -MAX_SUMMAND) {
                return false;
            }
            cursor.distances(pieces.first(), count, (int) summand, out, row);
            row += count;
        }
        return true;
    }

    boolean isBytes() {
        return !isLong;
    }

    private void clearValidity(Lane lane) {
        lane.codeValidity.clear();
        lane.longs.validity().clear();
        lane.strings.validity().clear();
    }

    private Validity validity(Lane lane) {
        if (dictionary != null) {
            return lane.codeValidity;
        }
        return isLong ? lane.longs.validity() : lane.strings.validity();
    }

    private void ensureRows(Lane target, int rows) {
        if (dictionary != null) {
            target.ensureCodes(rows);
        } else if (isLong) {
            target.longs.ensureRows(rows);
        } else {
            target.strings.ensureRows(rows);
        }
    }

    /** Appends the unit's rows to a lane at a row; returns the row after them. */
    private int decode(MergeUnits unit, Lane target, int at) {
        int row = at;
        ensureRows(target, at + unit.rowCount());
        for (int slice = 0; slice < unit.sliceCount(); slice++) {
            SegmentReader reader = unit.reader(slice);
            long from = unit.from(slice);
            long to = unit.to(slice);
            if (!MergeDictionaries.has(reader, index)) {
                row = fillMissing((int) (to - from), target, row);
                continue;
            }
            while (from < to) {
                int block = reader.blockOf(from);
                int first = (int) (from - reader.blockStartRow(block));
                int count = (int) Math.min(to - from, (long) reader.blockRows(block) - first);
                cursor.open(reader, index, block);
                decodeBlock(unit.run(slice), reader, block, first, count, target, row);
                row += count;
                from += count;
            }
        }
        return row;
    }

    private void decodeBlock(
            int run, SegmentReader reader, int block, int first, int count, Lane target, int row) {
        if (dictionary == null) {
            ColumnData out = isLong ? target.longs : target.strings;
            cursor.append(first, count, out, row);
            return;
        }
        Validity bits = target.codeValidity;
        if (cursor.nullCount() > 0) {
            bits.ensureBits(row + count);
            BitRange.copy(cursor.validityWords(), first, bits.words(), row, count);
        } else if (bits.hasNulls()) {
            bits.ensureBits(row + count);
            BitRange.set(bits.words(), row, count);
        }
        dictionaries.codes(cursor, run, reader, index, block, first, count, target.codes, row);
    }

    private int fillMissing(int count, Lane target, int row) {
        Validity bits = validity(target);
        if (bits.hasNulls()) {
            bits.ensureBits(row + count);
            BitRange.set(bits.words(), row, count);
        }
        if (dictionary != null) {
            Arrays.fill(target.codes, row, row + count, dictionaries.zeroCode(index));
        } else if (isLong) {
            Arrays.fill(target.longs.values(), row, row + count, 0);
        } else {
            int[] offsets = target.strings.offsets();
            Arrays.fill(offsets, row + 1, row + count + 1, offsets[row]);
        }
        return row + count;
    }

    private void gather(Lane source, int unitRows, int[] order, int rows, Lane target, int at) {
        Validity from = validity(source);
        Validity to = validity(target);
        if (from.hasNulls()) {
            from.ensureBits(unitRows);
            to.ensureBits(at + rows);
            Gather.bits(from.words(), order, 0, rows, to.words(), at);
        } else if (to.hasNulls()) {
            to.ensureBits(at + rows);
            BitRange.set(to.words(), at, rows);
        }
        if (dictionary != null) {
            target.ensureCodes(at + rows);
            Gather.ints(source.codes, order, 0, rows, target.codes, at);
        } else if (isLong) {
            target.longs.ensureRows(at + rows);
            Gather.longs(source.longs.values(), order, 0, rows, target.longs.values(), at);
        } else {
            Gather.strings(
                    source.strings.offsets(),
                    source.strings.data(),
                    unitRows,
                    order,
                    0,
                    rows,
                    target.strings,
                    at);
        }
    }

    /** Replaces a lane's rows by rows [from, to) of another. */
    private void copy(Lane source, int from, int to, Lane target) {
        int rows = to - from;
        Validity bits = validity(target);
        bits.clear();
        if (validity(source).hasNulls()) {
            bits.ensureBits(rows);
            BitRange.copy(validity(source).words(), from, bits.words(), 0, rows);
        }
        if (dictionary != null) {
            target.ensureCodes(rows);
            System.arraycopy(source.codes, from, target.codes, 0, rows);
        } else if (isLong) {
            target.longs.ensureRows(rows);
            System.arraycopy(source.longs.values(), from, target.longs.values(), 0, rows);
        } else {
            copyStrings(source.strings, from, rows, target.strings);
        }
    }

    private static void copyStrings(BytesColumn source, int from, int rows, BytesColumn target) {
        target.ensureRows(rows);
        int[] offsets = source.offsets();
        int[] copied = target.offsets();
        int start = offsets[from];
        int length = offsets[from + rows] - start;
        target.ensureBytes(length + 64L);
        for (int i = 0; i <= rows; i++) {
            copied[i] = offsets[from + i] - start;
        }
        System.arraycopy(source.data(), start, target.data(), 0, length);
    }

    /** Adds the length of each staged byte string to the sums. */
    void addLengths(int[] sums) {
        if (isLong) {
            return;
        }
        if (tokens != null) {
            tokens.addLengths(sums);
            return;
        }
        if (dictionary instanceof BytesDictionary strings) {
            Validity bits = stage.ordered.codeValidity;
            for (int i = 0; i < stagedRows; i++) {
                sums[i] += bits.isValid(i) ? strings.length(stage.ordered.codes[i]) : 0;
            }
            return;
        }
        int[] offsets = stage.ordered.strings.offsets();
        for (int i = 0; i < stagedRows; i++) {
            sums[i] += offsets[i + 1] - offsets[i];
        }
    }

    /** Encodes staged rows [from, from + rows) as the next block. */
    void encode(int from, int rows) {
        if (tokens != null) {
            blocks.add(tokens.encode(from, rows, encoded));
            return;
        }
        Lane lane = stage.ordered;
        Validity bits = validity(lane);
        long[] words = bits.hasNulls() ? bits.words() : NO_WORDS;
        EncodedBlock block;
        if (dictionary != null) {
            int codeBits = Encode.codeBits(dictionary.size());
            block = encoder.codes(lane.codes, from, rows, words, from, codeBits, encoded);
        } else if (isLong) {
            block =
                    encoder.longs(
                            lane.longs.values(),
                            from,
                            rows,
                            words,
                            from,
                            plainBytes,
                            true,
                            encoded);
        } else {
            int[] offsets = lane.strings.offsets();
            block =
                    encoder.bytes(
                            offsets,
                            lane.strings.data(),
                            from,
                            rows,
                            words,
                            from,
                            compress,
                            encoded);
        }
        blocks.add(block);
    }

    /** Keeps the staged rows from {@code from} on for the next unit. */
    void keep(int from) {
        if (tokens != null) {
            tokens.keep(from);
            return;
        }
        leftRows = stagedRows - from;
        copy(stage.ordered, from, stagedRows, left);
    }

    /** The next block that is encoded and not yet written. */
    EncodedBlock nextBlock() {
        return blocks.get(written);
    }

    byte[] encodedBytes() {
        return encoded.array();
    }

    /** Where the next block's bytes begin. */
    int nextBlockAt() {
        return writtenBytes;
    }

    void blockWritten() {
        writtenBytes += blocks.get(written).length();
        written++;
    }

    /** Forgets written blocks. */
    void clearWritten() {
        blocks.clear();
        encoded.clear();
        written = 0;
        writtenBytes = 0;
    }
}
