package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenEncoder;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.EncodedBlock;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.TokenBlockEncoder;
import dev.penstock.sort.Gather;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * The rows of one output column of a merge that is written as codes of a token table. Codes of runs
 * with the same table are taken as they are; all other byte strings are encoded. The phases are
 * those of {@link MergeColumn}.
 */
final class MergeTokens {
    private static final TokenTable NO_TABLE = new TokenTable(List.of());

    /** Memory that columns use in turn. */
    static final class Stage {
        /** Rows of a unit as they come. */
        private final TokenColumn decoded = new TokenColumn();

        private final Validity decodedValidity = new Validity();
        private final Lane ordered = new Lane();
        private final BytesColumn strings = new BytesColumn(0, 0);
        private final TokenEncoder encoder = new TokenEncoder();
        private final TokenBlockEncoder blocks;

        Stage(BlockEncoder plain) {
            blocks = new TokenBlockEncoder(plain);
        }
    }

    private static final class Lane {
        private final TokenColumn tokens = new TokenColumn();
        private final Validity validity = new Validity();
    }

    private final int index;
    private TokenTable table = NO_TABLE;
    private BlockCursor cursor;
    private Stage stage;
    private final boolean compress;
    private final Lane left = new Lane();
    private final MergePlaces places = new MergePlaces();
    private int leftRows;
    private int stagedRows;

    /** If not null, staged rows are the left-over ones and then the decoded ones in this order. */
    private int @Nullable [] stagedOrder;

    private int decodedRows;

    MergeTokens(int index, MergeScratch scratch, boolean compress) {
        this.index = index;
        this.cursor = scratch.cursor();
        this.stage = scratch.tokenStage();
        this.compress = compress;
    }

    /** See {@link MergeColumn#use}. */
    void use(MergeScratch scratch) {
        cursor = scratch.cursor();
        stage = scratch.tokenStage();
    }

    /** Starts a merge. */
    void begin(TokenTable newTable) {
        table = newTable;
        places.clear();
        leftRows = 0;
        stagedRows = 0;
        stagedOrder = null;
    }

    /**
     * The table of an output column: the one that was agreed on, else that of the run with the most
     * rows, the first of them; null if there is none.
     */
    static @Nullable TokenTable choose(TokenTables agreed, List<Merge.Run> runs, int column) {
        TokenTable chosen = agreed.table(column);
        long most = 0;
        for (int i = 0; i < runs.size() && agreed.table(column) == null; i++) {
            SegmentReader reader = runs.get(i).reader();
            if (MergeDictionaries.has(reader, column) && reader.rowCount() > most) {
                TokenTable own = reader.tokens(column);
                if (own != null) {
                    chosen = own;
                    most = reader.rowCount();
                }
            }
        }
        return chosen;
    }

    /** See {@link MergeColumn#stage}. */
    void stage(PieceWalk pieces, int waiting, PieceWalk unit, int @Nullable [] order, int rows) {
        if (order == null) {
            stageWaiting(pieces, waiting);
            decode(unit, rows, stage.ordered, waiting);
        } else {
            if (leftRows < waiting) {
                stageWaiting(pieces, waiting);
                copy(stage.ordered, 0, waiting, left);
                leftRows = waiting;
            }
            decodeUnordered(unit);
        }
        stagedOrder = order;
        stagedRows = waiting + rows;
    }

    private void decodeUnordered(PieceWalk unit) {
        decodedRows = unit.rowCount();
        TokenColumn target = stage.decoded;
        target.ensureRows(decodedRows);
        stage.decodedValidity.clear();
        for (int row = 0; row < decodedRows; ) {
            int count = unit.next(SegmentFormat.BLOCK_ROWS);
            decodePiece(unit, count, target, row, stage.decodedValidity, row);
            if (row == 0) {
                target.ensureCodes(expectedCodes(target.offsets()[count], count));
            }
            row += count;
        }
    }

    /** Codes of all rows, if they have about as many as the first; but see {@link MergeColumn}. */
    private long expectedCodes(int codes, int rows) {
        long all = (long) codes * decodedRows / rows;
        long most = Math.max(codes, MergeColumn.MAX_GUESSED_BYTES / 2);
        return codes + Math.clamp(all + (all >> 4) - codes, 0, most);
    }

    /** Puts left-over rows and then pieces into the stage, {@code rows} together. */
    private void stageWaiting(PieceWalk pieces, int rows) {
        copy(left, 0, leftRows, stage.ordered);
        decode(pieces, rows - leftRows, stage.ordered, leftRows);
    }

    boolean hasNoRowsLeft() {
        return leftRows == 0;
    }

    /** Whether the block that is open has codes of this table; checks them. */
    boolean takes() {
        TokenTable own = cursor.tokenTable();
        if (own == null || own.fingerprint() != table.fingerprint()) {
            return false;
        }
        cursor.checkTokens();
        return true;
    }

    /** Appends left-over rows and then pieces, {@code rows} together, as a block. */
    EncodedBlock encode(PieceWalk pieces, int rows, ByteBuilder out) {
        stageWaiting(pieces, rows);
        leftRows = 0;
        stagedOrder = null;
        return encode(0, rows, out);
    }

    private void decode(PieceWalk pieces, int rows, Lane target, int at) {
        int end = at + rows;
        int row = at;
        while (row < end) {
            int count = pieces.next(end - row);
            decodePiece(pieces, count, target.tokens, row, target.validity, row);
            row += count;
        }
    }

    /** Appends a piece at {@code row}, and which of its rows are NULL at {@code validityRow}. */
    private void decodePiece(
            PieceWalk piece,
            int count,
            TokenColumn target,
            int row,
            Validity validity,
            int validityRow) {
        SegmentReader reader = piece.reader();
        target.ensureRows(row + count);
        if (MergeDictionaries.has(reader, index)) {
            cursor.open(reader, index, piece.block());
            cursor.appendValidity(piece.first(), count, validity, validityRow);
            decodeBlock(piece, count, target, row);
        } else {
            // Rows of a run that does not have the column are empty.
            validity.setValid(validityRow, count);
            int[] offsets = target.offsets();
            Arrays.fill(offsets, row + 1, row + count + 1, offsets[row]);
        }
    }

    private void decodeBlock(PieceWalk piece, int count, TokenColumn target, int row) {
        int first = piece.first();
        TokenTable own = cursor.tokenTable();
        int start = places.start(cursor, piece);
        if (own != null && own.fingerprint() == table.fingerprint()) {
            places.move(piece, count, cursor.tokens(first, count, start, target, row));
            return;
        }
        BytesColumn strings = stage.strings;
        places.move(piece, count, cursor.strings(first, count, start, strings, 0));
        stage.encoder.encode(table, strings.offsets(), strings.data(), 0, count, target, row);
    }

    /** Replaces a lane's rows by rows [from, to) of another. */
    private static void copy(Lane source, int from, int to, Lane target) {
        int rows = to - from;
        target.validity.replace(source.validity, from, rows);
        source.tokens.copyTo(from, rows, target.tokens);
    }

    /** Replaces the ordered rows by staged rows [from, from + rows), which have an order. */
    private void arrange(int[] order, int from, int rows) {
        Lane target = stage.ordered;
        int kept = Math.clamp(leftRows - from, 0, rows);
        int first = Math.min(from, leftRows);
        copy(left, first, first + kept, target);
        int at = from + kept - leftRows;
        int count = rows - kept;
        Validity source = stage.decodedValidity;
        Gather.validity(source, decodedRows, order, at, count, target.validity, kept);
        stage.decoded.gather(order, at, count, target.tokens, kept);
    }

    /** Adds the length of each staged byte string to the sums. */
    void addLengths(int[] sums) {
        int[] order = stagedOrder;
        if (order != null) {
            arrange(order, 0, stagedRows);
        }
        int[] offsets = stage.ordered.tokens.offsets();
        byte[] codes = stage.ordered.tokens.codes();
        for (int i = 0; i < stagedRows; i++) {
            sums[i] += (int) table.byteCount(codes, offsets[i], offsets[i + 1]);
        }
    }

    /** Appends staged rows [from, from + rows) as a block. */
    EncodedBlock encode(int from, int rows, ByteBuilder out) {
        int[] order = stagedOrder;
        int first = from;
        if (order != null) {
            arrange(order, from, rows);
            first = 0;
        }
        Lane lane = stage.ordered;
        long[] words = Encode.words(lane.validity);
        return stage.blocks.run(table, lane.tokens, first, rows, words, first, compress, out);
    }

    /** Keeps the staged rows from {@code from} on for the next unit. */
    void keep(int from) {
        int rows = stagedRows - from;
        int[] order = stagedOrder;
        if (order == null) {
            copy(stage.ordered, from, stagedRows, left);
        } else {
            arrange(order, from, rows);
            copy(stage.ordered, 0, rows, left);
        }
        leftRows = rows;
    }
}
