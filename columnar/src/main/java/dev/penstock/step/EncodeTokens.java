package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.RowSpans;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenEncoder;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.ValuedRows;
import dev.penstock.kernel.SpanKernels;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.BlockTarget;
import dev.penstock.segment.EncodedBlock;
import dev.penstock.segment.TokenBlockEncoder;

/** Byte strings of a fragment as codes of a token table. Owned by one thread. */
final class EncodeTokens {
    private final TokenEncoder encoder = new TokenEncoder();
    private final TokenBlockEncoder blockEncoder;
    private final TokenColumn tokens = new TokenColumn();
    private final TokenColumn spread = new TokenColumn();
    private final SharedValidity validity = new SharedValidity();
    private int[] places = new int[0];
    private final ValuedRows valued;

    EncodeTokens(BlockEncoder plain, ValuedRows valued) {
        this.valued = valued;
        blockEncoder = new TokenBlockEncoder(plain);
    }

    /**
     * Writes the blocks of a column.
     *
     * @param words validity of the source's rows; empty if there are no NULLs
     */
    void run(
            int column,
            TokenTable table,
            BytesColumn source,
            int from,
            long[] words,
            int[] blockRows,
            int blocks,
            BlockTarget target,
            ByteBuilder out) {
        target.tokens(column, table, false);
        int at = from;
        for (int i = 0; i < blocks; i++) {
            int rows = blockRows[i];
            cut(table, source, at, rows, words);
            target.addInPlace(column, block(table, source, at, rows, words, out), out);
            at += rows;
        }
    }

    private EncodedBlock block(
            TokenTable table,
            BytesColumn source,
            int from,
            int rows,
            long[] words,
            ByteBuilder out) {
        return words.length == 0
                ? blockEncoder.run(table, tokens, rows, source.offsets(), from, out)
                : blockEncoder.run(table, tokens, 0, rows, words, from, false, out);
    }

    /** Cuts the strings of some rows into tokens. */
    private void cut(TokenTable table, BytesColumn source, int from, int rows, long[] words) {
        if (words.length == 0) {
            encoder.encode(table, source.offsets(), source.data(), from, rows, tokens, 0);
        } else {
            valued.take(source.offsets(), source.data(), from, rows, words);
            int values = valued.count();
            encoder.encode(table, valued.offsets(), valued.data(), 0, values, tokens, 0);
            tokens.insertNulls(values, rows, words, from);
        }
    }

    /** Writes the blocks of a shared column: the string of a span is cut once. */
    void runShared(
            int column,
            TokenTable table,
            ColumnBatch batch,
            int from,
            int[] blockRows,
            int blocks,
            BlockTarget target,
            ByteBuilder out) {
        target.tokens(column, table, false);
        BytesColumn source = (BytesColumn) batch.held(column);
        Validity ofSpans = source.validity();
        long[] spanWords = Encode.words(ofSpans);
        RowSpans spans = batch.spans();
        int at = from;
        for (int i = 0; i < blocks; i++) {
            int rows = blockRows[i];
            int first = spans.spanOf()[at];
            int count = spans.spanOf()[at + rows - 1] + 1 - first;
            cut(table, source, first, count, spanWords);
            if (places.length < rows) {
                places = new int[rows + (rows >> 2)];
            }
            SpanKernels.places(spans.spanOf(), first, at, rows, places);
            tokens.gather(places, 0, rows, spread, 0);
            long[] words = validity.of(ofSpans, spans, at, rows);
            EncodedBlock block = blockEncoder.run(table, spread, 0, rows, words, 0, false, out);
            target.addInPlace(column, block, out);
            at += rows;
        }
    }

    /** Writes the blocks of the column that the unordered rows are at, and have cut into tokens. */
    void runOrdered(
            int column,
            TokenTable table,
            UnorderedRows rows,
            int from,
            int[] blockRows,
            int blocks,
            BlockTarget target,
            ByteBuilder out) {
        target.tokens(column, table, false);
        int at = from;
        for (int i = 0; i < blocks; i++) {
            int count = blockRows[i];
            rows.tokens(at, count, tokens);
            EncodedBlock block =
                    blockEncoder.run(table, tokens, 0, count, Validity.NO_WORDS, 0, false, out);
            target.addInPlace(column, block, out);
            at += count;
        }
    }
}
