package dev.penstock.step;

import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.BlockSums;
import dev.penstock.segment.EncodedBlock;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentReader;
import dev.penstock.sort.CodeLane;
import dev.penstock.sort.Gather;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One output column of a merge. Where rows follow each other in the runs, {@link #encode(PieceWalk,
 * int, CpuClock)} makes one block at a time of the pieces that it consists of, within the cache.
 * Else, per unit: {@link #stage} decodes the unit's rows into the stage that all columns share;
 * {@link #encode(int, int, CpuClock)} puts a block's rows into their order and makes the block;
 * {@link #keep} takes what is left over. Blocks are kept here until all columns are done.
 *
 * <p>The values of a column with a dictionary are its codes. Owned by one thread at a time, which
 * says so by {@link #use}.
 */
final class MergeColumn {
    /** Distances of so many bits, moved by at most {@link #MAX_SUMMAND}, differ by an int. */
    private static final int MAX_DISTANCE_BITS = 29;

    private static final long MAX_SUMMAND = 1 << 29;

    /** Room that is made for rows to come, if those that came do not have more. */
    static final int MAX_GUESSED_BYTES = 16 << 20;

    /** Memory that columns use in turn: decoded rows, and rows in output order. */
    static final class Stage {
        private final MergeLane decoded = new MergeLane();
        private final CodeLane decodedCodes = new CodeLane();
        private final MergeLane ordered = new MergeLane();
    }

    private final int index;
    private final boolean isLong;
    private final ColumnType type;
    private final CompressionTrials trials;
    private final MergeTokens ownTokens;

    /** Recomputes the blocks' sums; null if they are not asked for. */
    private final @Nullable BlockSums sums;

    // Of the thread that works on the column
    private MergeScratch scratch;
    private BlockCursor cursor;
    private BlockEncoder encoder;
    private Stage stage;

    // One merge
    private MergeLane.Form form = MergeLane.Form.LONGS;
    private @Nullable MergeDictionaries dictionaries;
    private @Nullable Dictionary dictionary;

    /** Not null if the column is written as codes of a token table. */
    private @Nullable MergeTokens tokens;

    private final MergePlaces places = new MergePlaces();
    private final MergeLane left = new MergeLane();
    private int leftRows;
    private int stagedRows;

    /** If not null, staged rows are the left-over ones and then the decoded ones in this order. */
    private int @Nullable [] stagedOrder;

    private int decodedRows;

    /** Whether decoded rows are distances from {@link #reference}. */
    private boolean inDistances;

    private long reference;
    private final ByteBuilder encoded = new ByteBuilder(0);
    private final List<EncodedBlock> blocks = new ArrayList<>();
    private long[] blockSums = new long[16];
    private int written;
    private int writtenBytes;

    /**
     * @param scratch any, until {@link #use}
     */
    MergeColumn(int index, Column column, MergeScratch scratch, MergeLimits limits) {
        this.index = index;
        this.isLong = column.type().kind() == PhysicalKind.LONG;
        this.type = column.type();
        this.ownTokens = new MergeTokens(index, scratch, limits.compress());
        this.sums = limits.sums() ? new BlockSums() : null;
        this.trials = new CompressionTrials(limits.compress(), limits.segmentRows());
        this.scratch = scratch;
        this.cursor = scratch.cursor();
        this.encoder = scratch.encoder();
        this.stage = scratch.stage();
    }

    /** Another thread works on the column from now on, with this memory. */
    void use(MergeScratch newScratch) {
        scratch = newScratch;
        cursor = newScratch.cursor();
        encoder = newScratch.encoder();
        stage = newScratch.stage();
        ownTokens.use(newScratch);
    }

    /** Starts a merge; of nothing, to let go of the last one. */
    void begin(@Nullable MergeDictionaries newDictionaries, @Nullable TokenTable table) {
        dictionaries = newDictionaries;
        dictionary = newDictionaries == null ? null : newDictionaries.dictionary(index);
        form =
                dictionary != null
                        ? MergeLane.Form.CODES
                        : isLong ? MergeLane.Form.LONGS : MergeLane.Form.STRINGS;
        tokens = null;
        if (table != null) {
            tokens = ownTokens;
            tokens.begin(table);
        }
        if (sums != null) {
            sums.begin(dictionary, table);
        }
        places.clear();
        trials.begin();
        leftRows = 0;
        stagedRows = 0;
        stagedOrder = null;
        inDistances = false;
    }

    private MergeDictionaries dictionaries() {
        MergeDictionaries present = dictionaries;
        if (present == null) {
            throw new IllegalStateException("no merge has begun");
        }
        return present;
    }

    /**
     * Puts left-over rows, pieces and the unit's rows into the stage.
     *
     * @param waiting rows left over and in pieces
     * @param unit the unit's rows as they come
     * @param order for each output row its row in the unit, or null if the unit's rows are the
     *     output's
     * @param rows output rows of the unit
     */
    void stage(PieceWalk pieces, int waiting, PieceWalk unit, int @Nullable [] order, int rows) {
        unit.rewind();
        if (tokens != null) {
            tokens.stage(pieces, waiting, unit, order, rows);
            return;
        }
        if (order == null) {
            stageWaiting(pieces, waiting);
            decode(unit, rows, stage.ordered, waiting);
        } else {
            if (leftRows < waiting) {
                stageWaiting(pieces, waiting);
                left.replace(form, stage.ordered, 0, waiting);
                leftRows = waiting;
            }
            decodeUnordered(unit);
        }
        stagedOrder = order;
        stagedRows = waiting + rows;
    }

    private void decodeUnordered(PieceWalk unit) {
        MergeLane target = stage.decoded;
        decodedRows = unit.rowCount();
        target.validity(form).clear();
        if (dictionary != null) {
            decodeCodes(unit, dictionary.size());
            return;
        }
        inDistances = isLong && decodeDistances(unit, decodedRows, target, false);
        if (!inDistances) {
            unit.rewind();
            decode(unit, decodedRows, target, 0);
        }
    }

    /** Puts left-over rows and then pieces into the stage, {@code rows} together. */
    private void stageWaiting(PieceWalk pieces, int rows) {
        stage.ordered.replace(form, left, 0, leftRows);
        decode(pieces, rows - leftRows, stage.ordered, leftRows);
    }

    /** Encodes left-over rows and then pieces, {@code rows} together, as the next block. */
    void encode(PieceWalk pieces, int rows, CpuClock clock) {
        int at = encoded.length();
        encodeNext(pieces, rows);
        sumUp(rows, at, clock);
    }

    private void encodeNext(PieceWalk pieces, int rows) {
        if (hasNoRowsLeft() && pieces.isBlock(rows) && take(pieces, rows)) {
            return;
        }
        if (tokens != null) {
            blocks.add(tokens.encode(pieces, rows, encoded));
            return;
        }
        if (isLong && dictionary == null && leftRows == 0) {
            pieces.mark();
            stage.ordered.validity(form).clear();
            if (decodeDistances(pieces, rows, stage.ordered, true)) {
                encodeDistances(stage.ordered.codes(), rows);
                return;
            }
            pieces.reset();
        }
        stageWaiting(pieces, rows);
        leftRows = 0;
        encodeStaged(0, rows);
    }

    private boolean hasNoRowsLeft() {
        return tokens == null ? leftRows == 0 : tokens.hasNoRowsLeft();
    }

    /** Takes a run's block as it is; false, at the same place, if it would be another here. */
    private boolean take(PieceWalk pieces, int rows) {
        pieces.mark();
        pieces.next(rows);
        SegmentReader reader = pieces.reader();
        if (MergeDictionaries.has(reader, index)) {
            cursor.open(reader, index, pieces.block());
            if (isTakenAsItIs(reader, pieces.run())) {
                blocks.add(reader.copyOpened(index, pieces.block(), encoded));
                return true;
            }
        }
        pieces.reset();
        return false;
    }

    /** Whether the block that is open is what the merge would make of its rows, or as good. */
    private boolean isTakenAsItIs(SegmentReader reader, int run) {
        if (dictionary != null) {
            int bits = Encode.codeBits(dictionary.size());
            if (cursor.hasCodes()
                    && cursor.bitsOfCode() == bits
                    && dictionaries().sameCodes(run, reader, index)) {
                cursor.checkCodes();
                return true;
            }
            return false;
        }
        if (tokens != null) {
            return tokens.takes();
        }
        return isLong && reader.isCurrent() && (cursor.hasDistances() || cursor.isScaled());
    }

    private void encodeDistances(int[] distances, int rows) {
        Validity bits = stage.ordered.validity(form);
        long[] words = Encode.words(bits);
        blocks.add(encoder.distances(distances, 0, rows, reference, words, 0, type, encoded));
    }

    /**
     * Puts pieces into a lane as distances from {@link #reference}; false if they are not all
     * packed in blocks whose bases are near each other, or if there are NULLs and may not be.
     */
    private boolean decodeDistances(
            PieceWalk pieces, int rows, MergeLane target, boolean nullsToo) {
        target.ensureCodes(rows);
        int row = 0;
        while (row < rows) {
            int count = pieces.next(rows - row);
            if (!distances(pieces, count, target.codes(), row)
                    || cursor.nullCount() > 0 && !nullsToo) {
                return false;
            }
            cursor.appendValidity(pieces.first(), count, target.validity(form), row);
            row += count;
        }
        return true;
    }

    /** Decodes a piece as distances; row 0 sets what they are distances from. */
    private boolean distances(PieceWalk piece, int count, int[] out, int row) {
        if (!MergeDictionaries.has(piece.reader(), index)) {
            return false;
        }
        cursor.open(piece.reader(), index, piece.block());
        if (!cursor.hasDistances() || cursor.distanceBits() > MAX_DISTANCE_BITS) {
            return false;
        }
        long base = cursor.base();
        if (row == 0) {
            reference = base;
        }
        long summand = base - reference;
        boolean overflow = base < reference != summand < 0;
        if (overflow || summand > MAX_SUMMAND || summand < -MAX_SUMMAND) {
            return false;
        }
        cursor.distances(piece.first(), count, (int) summand, out, row);
        return true;
    }

    private int zeroCode() {
        return dictionary == null ? 0 : dictionaries().zeroCode(index);
    }

    boolean isBytes() {
        return !isLong;
    }

    /** Appends pieces to a lane at a row. */
    private void decode(PieceWalk pieces, int rows, MergeLane target, int at) {
        int end = at + rows;
        target.ensureRows(form, end);
        int row = at;
        while (row < end) {
            int count = pieces.next(end - row);
            if (!MergeDictionaries.has(pieces.reader(), index)) {
                target.fillMissing(form, row, count, zeroCode());
            } else if (dictionary != null) {
                decodeCodes(pieces, count, target, row, target.codes(), row);
            } else {
                cursor.open(pieces.reader(), index, pieces.block());
                decodeValues(pieces, count, target, row);
            }
            row += count;
        }
    }

    private void decodeValues(PieceWalk piece, int count, MergeLane target, int row) {
        int first = piece.first();
        if (isLong) {
            cursor.append(first, count, target.longs(), row);
            return;
        }
        cursor.appendValidity(first, count, target.validity(form), row);
        int start = places.start(cursor, piece);
        places.move(piece, count, cursor.strings(first, count, start, target.strings(), row));
    }

    /** Decodes a unit's codes into the unordered lane. */
    private void decodeCodes(PieceWalk unit, int codeCount) {
        MergeLane validity = stage.decoded;
        CodeLane lane = stage.decodedCodes;
        lane.reset(decodedRows, codeCount);
        stage.ordered.ensureCodes(SegmentFormat.BLOCK_ROWS);
        int[] codes = stage.ordered.codes();
        for (int row = 0; row < decodedRows; ) {
            int count = unit.next(SegmentFormat.BLOCK_ROWS);
            if (!MergeDictionaries.has(unit.reader(), index)) {
                validity.makeValid(form, row, count);
                Arrays.fill(codes, 0, count, zeroCode());
                lane.put(codes, count, row);
            } else if (!decodeCodes(unit, count, validity, row, lane)) {
                decodeCodes(unit, count, validity, row, codes, 0);
                lane.put(codes, count, row);
            }
            row += count;
        }
    }

    /** Decodes a piece's codes to a lane; false if they can not be put there as they are. */
    private boolean decodeCodes(
            PieceWalk piece, int count, MergeLane validity, int row, CodeLane out) {
        SegmentReader reader = piece.reader();
        int first = piece.first();
        cursor.open(reader, index, piece.block());
        cursor.appendValidity(first, count, validity.validity(form), row);
        return dictionaries().codes(cursor, piece.run(), reader, index, first, count, out, row);
    }

    private void decodeCodes(
            PieceWalk piece, int count, MergeLane target, int row, int[] out, int outAt) {
        SegmentReader reader = piece.reader();
        int first = piece.first();
        cursor.open(reader, index, piece.block());
        cursor.appendValidity(first, count, target.validity(form), row);
        dictionaries()
                .codes(
                        cursor,
                        scratch.values(),
                        piece.run(),
                        reader,
                        index,
                        first,
                        count,
                        out,
                        outAt);
    }

    /** Replaces a lane's rows by staged rows [from, from + rows), which have an order. */
    private void arrange(int[] order, int from, int rows, MergeLane target) {
        int kept = Math.clamp(leftRows - from, 0, rows);
        target.replace(form, left, Math.min(from, leftRows), kept);
        target.ensureRows(form, rows);
        gather(order, from + kept - leftRows, rows - kept, target, kept);
    }

    private void gather(int[] order, int from, int rows, MergeLane target, int at) {
        MergeLane source = stage.decoded;
        if (inDistances) {
            target.makeValid(form, at, rows);
            Gather.longs(source.codes(), reference, order, from, rows, target.longs().values(), at);
            return;
        }
        Validity to = target.validity(form);
        Gather.validity(source.validity(form), decodedRows, order, from, rows, to, at);
        if (dictionary != null) {
            stage.decodedCodes.gather(order, from, rows, target.codes(), at);
        } else if (isLong) {
            Gather.longs(source.longs().values(), order, from, rows, target.longs().values(), at);
        } else {
            Gather.strings(
                    source.strings().offsets(),
                    source.strings().data(),
                    decodedRows,
                    order,
                    from,
                    rows,
                    target.strings(),
                    at);
        }
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
        int[] order = stagedOrder;
        if (order != null) {
            arrange(order, 0, stagedRows, stage.ordered);
        }
        if (dictionary instanceof BytesDictionary strings) {
            Validity bits = stage.ordered.validity(form);
            for (int i = 0; i < stagedRows; i++) {
                sums[i] += bits.isValid(i) ? strings.length(stage.ordered.codes()[i]) : 0;
            }
            return;
        }
        int[] offsets = stage.ordered.strings().offsets();
        for (int i = 0; i < stagedRows; i++) {
            sums[i] += offsets[i + 1] - offsets[i];
        }
    }

    /** Encodes staged rows [from, from + rows) as the next block. */
    void encode(int from, int rows, CpuClock clock) {
        int at = encoded.length();
        encodeNext(from, rows);
        sumUp(rows, at, clock);
    }

    /**
     * Makes room at once for so many rows, which take about as many bytes as those until now; but
     * not for very many, since the first ones may be far wider than the others.
     */
    void expect(int rowsDone, int rows) {
        int done = encoded.length();
        long bytes = (long) done * rows / rowsDone;
        long more = Math.clamp(bytes + (bytes >> 4) - done, 0, Math.max(done, MAX_GUESSED_BYTES));
        encoded.reserve((int) Math.min(more, ByteBuilder.MAX_BYTES - done));
    }

    /** Makes the sum of the last block, which begins at a byte, while it is in the cache. */
    private void sumUp(int rows, int at, CpuClock clock) {
        if (sums != null) {
            clock.lap(StepName.MERGE);
            int last = blocks.size() - 1;
            if (last == blockSums.length) {
                blockSums = Arrays.copyOf(blockSums, 2 * last);
            }
            blockSums[last] =
                    sums.of(blocks.get(last), rows, encoded.array(), at, scratch.sumStage());
            clock.lap(StepName.VERIFY);
        }
    }

    private void encodeNext(int from, int rows) {
        if (tokens != null) {
            blocks.add(tokens.encode(from, rows, encoded));
            return;
        }
        int[] order = stagedOrder;
        if (order == null) {
            encodeStaged(from, rows);
        } else if (inDistances && from >= leftRows) {
            stage.ordered.ensureCodes(rows);
            int[] ordered = stage.ordered.codes();
            Gather.ints(stage.decoded.codes(), order, from - leftRows, rows, ordered, 0);
            stage.ordered.validity(form).clear();
            encodeDistances(ordered, rows);
        } else {
            arrange(order, from, rows, stage.ordered);
            encodeStaged(0, rows);
        }
    }

    private void encodeStaged(int from, int rows) {
        MergeLane lane = stage.ordered;
        Validity bits = lane.validity(form);
        long[] words = Encode.words(bits);
        EncodedBlock block;
        if (dictionary != null) {
            int codeBits = Encode.codeBits(dictionary.size());
            block = encoder.codes(lane.codes(), from, rows, words, from, codeBits, encoded);
        } else if (isLong) {
            block =
                    encoder.longs(
                            lane.longs().values(), from, rows, words, from, type, true, encoded);
        } else {
            int[] offsets = lane.strings().offsets();
            byte[] data = lane.strings().data();
            block = trials.encode(encoder, offsets, data, from, rows, words, encoded);
        }
        blocks.add(block);
    }

    /** Keeps the staged rows from {@code from} on for the next unit. */
    void keep(int from) {
        if (tokens != null) {
            tokens.keep(from);
            return;
        }
        int rows = stagedRows - from;
        int[] order = stagedOrder;
        if (order == null) {
            left.replace(form, stage.ordered, from, rows);
        } else {
            arrange(order, from, rows, stage.ordered);
            left.replace(form, stage.ordered, 0, rows);
        }
        leftRows = rows;
    }

    /** The next block that is encoded and not yet written. */
    EncodedBlock nextBlock() {
        return blocks.get(written);
    }

    /** The sum of its values; 0 if sums are not asked for. */
    long nextBlockSum() {
        return sums == null ? 0 : blockSums[written];
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
