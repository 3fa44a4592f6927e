package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.DictionarySubset;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.dict.ValuedRows;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.BlockTarget;
import dev.penstock.segment.EncodedBlock;

/**
 * Encodes slices of single columns as blocks, as somebody wishes: see {@link Encode}. Phases:
 * {@link #begin} says which rows blocks have and where they go; then columns. Owned by one thread;
 * keeps its scratch memory, and the last dictionary of each column.
 */
final class EncodeColumn {
    /** Few distinct values get a dictionary even if they are most of the slice. */
    private static final int MIN_LIMIT = 32;

    /** Bytes that a block of strings has besides them, their lengths and NULLs; with slack. */
    private static final int BLOCK_ROOM = 1 << 7;

    private final TableSchema schema;
    private final TokenTables tokens;
    private final BlockEncoder encoder;
    private final ColumnBuilders builders;
    private final SharedCodes shared;
    private final DictionarySubset subset = new DictionarySubset();
    private final EncodeTokens tokenBlocks;
    private int[] codes = new int[0];

    // Of the slice
    private BlockTarget target;
    private ByteBuilder out = new ByteBuilder(0);
    private int[] blockRows = new int[0];
    private int blocks;

    /**
     * @param firstTarget any, until {@link #begin}
     */
    EncodeColumn(
            TableSchema schema, TokenTables tokens, BlockEncoder encoder, BlockTarget firstTarget) {
        this.schema = schema;
        this.tokens = tokens;
        this.encoder = encoder;
        ValuedRows valued = new ValuedRows();
        builders = new ColumnBuilders(schema.columnCount(), valued);
        shared = new SharedCodes(builders);
        tokenBlocks = new EncodeTokens(encoder, valued);
        target = firstTarget;
    }

    /** What numbers the values of columns. */
    ColumnBuilders builders() {
        return builders;
    }

    /**
     * Goes to a slice.
     *
     * @param newOut what the target expects bytes in
     * @param newBlockRows rows of each block, of which there are {@code newBlocks}
     */
    void begin(BlockTarget newTarget, ByteBuilder newOut, int[] newBlockRows, int newBlocks) {
        target = newTarget;
        out = newOut;
        blockRows = newBlockRows;
        blocks = newBlocks;
    }

    /** Encodes the slice {@code [from, from + rows)} in order of the column that rows are at. */
    void runOrdered(UnorderedRows unordered, int column, int from, int rows, Encode.Choice choice) {
        ensureCodes(rows);
        Encode.Choice left = choice;
        if (choice == Encode.Choice.DICTIONARY) {
            Dictionary all = unordered.dictionary();
            if (all != null) {
                unordered.codes(from, rows, codes);
                subset.begin(all);
                if (subset.count(codes, rows) <= limit(rows)) {
                    Dictionary some = subset.reduce(codes, rows);
                    codeBlocks(column, some, Validity.NO_WORDS, 0);
                    return;
                }
                left = Encode.Choice.PACKED;
            }
        }
        if (left == Encode.Choice.PACKED && unordered.hasDistances()) {
            distances(unordered, column, from);
        } else if (left != Encode.Choice.PACKED || !encodeTokens(unordered, column, from)) {
            ColumnData values = unordered.values(from, rows);
            run(values, column, 0, rows, left);
        }
    }

    /** Whether a column could be written as codes of a token table, and was. */
    private boolean encodeTokens(UnorderedRows unordered, int column, int from) {
        TokenTable table = tokens.table(column);
        if (table == null || !unordered.cut(table)) {
            return false;
        }
        tokenBlocks.runOrdered(column, table, unordered, from, blockRows, blocks, target, out);
        return true;
    }

    private void distances(UnorderedRows unordered, int column, int from) {
        long base = unordered.base();
        ColumnType type = schema.column(column).type();
        int at = from;
        for (int i = 0; i < blocks; i++) {
            int rows = blockRows[i];
            unordered.distances(at, rows, codes);
            EncodedBlock block =
                    encoder.distances(codes, 0, rows, base, Validity.NO_WORDS, 0, type, out);
            target.addInPlace(column, block, out);
            at += rows;
        }
    }

    /** Encodes rows [from, to) of a column, shared or not. */
    void run(ColumnBatch batch, int column, int from, int to, Encode.Choice choice) {
        Encode.Choice left = choice;
        if (choice == Encode.Choice.DICTIONARY && batch.isShared(column)) {
            ensureCodes(to - from);
            boolean done = shared.run(batch, column, from, to, most(to - from), codes);
            Dictionary dictionary = builders.dictionary(column, batch.held(column));
            if (isWorthIt(column, to - from, done, dictionary)) {
                codeBlocks(column, dictionary, shared.words(), 0);
                return;
            }
            left = Encode.Choice.PACKED;
        }
        TokenTable table = left == Encode.Choice.PACKED ? tokens.table(column) : null;
        if (table != null && batch.isShared(column)) {
            tokenBlocks.runShared(column, table, batch, from, blockRows, blocks, target, out);
            return;
        }
        run(batch.column(column), column, from, to, left);
    }

    /** Encodes rows [from, to) of a column. */
    void run(ColumnData data, int column, int from, int to, Encode.Choice choice) {
        Encode.Choice left = choice;
        if (choice == Encode.Choice.DICTIONARY) {
            if (encodeCodes(data, column, from, to)) {
                return;
            }
            left = Encode.Choice.PACKED;
        }
        switch (data) {
            case LongColumn source -> longs(column, source, from, left);
            case BytesColumn source -> strings(column, source, from, to, left);
        }
    }

    /** Whether a column could be written as codes, and was. */
    private boolean encodeCodes(ColumnData data, int column, int from, int to) {
        int rows = to - from;
        ensureCodes(rows);
        boolean done = builders.run(column, data, from, rows, most(rows), codes);
        Dictionary dictionary = builders.dictionary(column, data);
        boolean worthIt = isWorthIt(column, rows, done, dictionary);
        if (worthIt) {
            codeBlocks(column, dictionary, Encode.words(data.validity()), from);
        }
        return worthIt;
    }

    private void longs(int column, LongColumn source, int from, Encode.Choice choice) {
        long[] words = Encode.words(source.validity());
        ColumnType type = schema.column(column).type();
        boolean packed = choice != Encode.Choice.PLAIN;
        int at = from;
        for (int i = 0; i < blocks; i++) {
            EncodedBlock block =
                    encoder.longs(source.values(), at, blockRows[i], words, at, type, packed, out);
            target.addInPlace(column, block, out);
            at += blockRows[i];
        }
    }

    private void strings(int column, BytesColumn source, int from, int to, Encode.Choice choice) {
        long[] words = Encode.words(source.validity());
        TokenTable table = choice == Encode.Choice.PLAIN ? null : tokens.table(column);
        if (table != null) {
            tokenBlocks.run(column, table, source, from, words, blockRows, blocks, target, out);
            return;
        }
        int at = from;
        reserve(source, from, to);
        for (int i = 0; i < blocks; i++) {
            EncodedBlock block =
                    encoder.bytes(
                            source.offsets(),
                            source.data(),
                            at,
                            blockRows[i],
                            words,
                            at,
                            false,
                            out);
            target.addInPlace(column, block, out);
            at += blockRows[i];
        }
    }

    /** Makes room for all strings of the slice at once, with lengths of two bytes and NULLs. */
    private void reserve(BytesColumn source, int from, int to) {
        int rows = to - from;
        int other = Short.BYTES * rows + rows / Byte.SIZE + BLOCK_ROOM * blocks;
        out.reserve(source.offsets()[to] - source.offsets()[from] + other);
    }

    private void codeBlocks(int column, Dictionary dictionary, long[] words, int from) {
        target.dictionary(column, dictionary);
        if (blocks == 1 && dictionary.size() > 0) {
            int size = dictionary.size();
            target.addInPlace(
                    column, encoder.allCodes(codes, blockRows[0], words, from, size, out), out);
            return;
        }
        int bits = Encode.codeBits(dictionary.size());
        int at = 0;
        for (int i = 0; i < blocks; i++) {
            EncodedBlock block =
                    encoder.codes(codes, at, blockRows[i], words, from + at, bits, out);
            target.addInPlace(column, block, out);
            at += blockRows[i];
        }
    }

    /** Most distinct values for which a dictionary pays. */
    private static int limit(int rows) {
        return Math.min(Dictionary.MAX_ENTRIES, Math.max(MIN_LIMIT, rows / 2));
    }

    /** Most distinct values to look for: enough to see that a region will not have a dictionary. */
    private static int most(int rows) {
        return rows > Dictionary.MAX_ENTRIES ? Dictionary.MAX_ENTRIES : limit(rows);
    }

    /** Says whether a dictionary is to be used, and notes if there are too many values for any. */
    private boolean isWorthIt(int column, int rows, boolean done, Dictionary dictionary) {
        if (!done && rows > Dictionary.MAX_ENTRIES) {
            target.overflowed(column);
        }
        return done && dictionary.size() <= limit(rows);
    }

    private void ensureCodes(int rows) {
        if (codes.length < rows) {
            codes = new int[rows];
        }
    }
}
