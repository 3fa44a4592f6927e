package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.kernel.WordBorders;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Turns byte strings into codes of a {@link TokenTable}. The codes are a function of the string and
 * the table alone:
 *
 * <ol>
 *   <li>The string is cut into words by {@link WordBorders}, and words of more than {@link
 *       TokenTable#MAX_TOKEN_BYTES} bytes into pieces of that many.
 *   <li>A word that is in the table is one code.
 *   <li>Any other word is taken apart from its front: the longest token that it begins with, else
 *       the single byte.
 * </ol>
 *
 * <p>The fast path knows no rows: it goes from border to border through the bytes of many rows, and
 * rows find their codes by counting borders. Words that are not in the table are noted, and taken
 * apart afterwards. Owned by one thread.
 */
public final class TokenEncoder {
    /** Bytes that are encoded at once, but for longer rows. */
    private static final int WINDOW_BYTES = 1 << 16;

    /** So many are moved sooner by a loop than by a call. */
    private static final int FEW_CODES = 8;

    private static final long[] LOW_MASKS = new long[16];
    private static final long[] HIGH_MASKS = new long[16];

    static {
        for (int length = 0; length < 16; length++) {
            LOW_MASKS[length] = ByteStrings.mask(length);
            HIGH_MASKS[length] = ByteStrings.mask(length - 8);
        }
    }

    private long[] borders = new long[0];
    private int[] ranks = new int[0];

    /** Words that are not in the table: number of the code, start and end of the bytes. */
    private int[] misses = new int[0];

    private int missCount;

    /** What the misses are taken apart to, one after the other. */
    private int[] pieces = new int[0];

    private int pieceCount;

    /** Made for the first word that is not in the table, and no number. */
    private @Nullable PieceCache known;

    /**
     * Appends rows [from, from + rows), which lie back to back, to a column of codes.
     *
     * @param offsets row starts and ends in {@code data}
     * @param outRow rows that {@code out} holds already
     */
    public void encode(
            TokenTable table,
            int[] offsets,
            byte[] data,
            int from,
            int rows,
            TokenColumn out,
            int outRow) {
        out.ensureRows(outRow + rows);
        int row = from;
        while (row < from + rows) {
            int end = row + 1;
            while (end < from + rows && offsets[end + 1] - offsets[row] <= WINDOW_BYTES) {
                end++;
            }
            window(table, offsets, data, row, end, out, outRow + row - from);
            row = end;
        }
    }

    private void window(
            TokenTable table,
            int[] offsets,
            byte[] data,
            int from,
            int to,
            TokenColumn out,
            int outRow) {
        int start = offsets[from];
        int length = offsets[to] - start;
        int words = (length + 64) >> 6;
        if (ranks.length < words) {
            borders = new long[words + (words >> 2) + WordBorders.SLACK];
            ranks = new int[words + (words >> 2)];
        }
        WordBorders.find(data, start, length, borders);
        for (int row = from + 1; row <= to; row++) {
            int bit = offsets[row] - start;
            borders[bit >> 6] |= 1L << bit;
        }
        borders[0] &= -2L;
        int first = out.offsets()[outRow];
        out.ensureCodes((long) first + count(words));
        missCount = 0;
        codes(table, data, start, words, out.codes(), first);
        int[] ends = out.offsets();
        for (int row = from + 1; row <= to; row++) {
            int bit = offsets[row] - start;
            int rank = Long.bitCount(borders[bit >> 6] & -1L >>> 63 - (bit & 63));
            ends[outRow + row - from] = first + ranks[bit >> 6] + rank;
        }
        if (missCount > 0) {
            takeApart(table, data);
            insert(out, outRow, outRow + to - from);
        }
    }

    /** Counts the borders, and those before each of their words. */
    private int count(int words) {
        int total = 0;
        for (int i = 0; i < words; i++) {
            ranks[i] = total;
            total += Long.bitCount(borders[i]);
        }
        return total;
    }

    /** One code for each border: of the word that ends there, or any if it is noted as missing. */
    private void codes(TokenTable table, byte[] data, int from, int words, byte[] out, int first) {
        long[] tokens = table.words();
        char[] slots = table.slots();
        int safe = data.length - 16;
        int start = from;
        int next = first;
        for (int word = 0; word < words; word++) {
            long left = borders[word];
            int base = from + (word << 6);
            while (left != 0) {
                int end = base + Long.numberOfTrailingZeros(left);
                left &= left - 1;
                int length = end - start;
                char code = TokenTable.NONE;
                if (length <= TokenTable.MAX_TOKEN_BYTES && start <= safe) {
                    long low = ByteAccess.getLong(data, start) & LOW_MASKS[length & 15];
                    long high =
                            ByteAccess.getLong(data, start + 8) & HIGH_MASKS[length & 15]
                                    | (long) length << 56;
                    int slot = TokenTable.slot(low, high);
                    code = slots[slot];
                    while (code != TokenTable.NONE
                            && (tokens[2 * code] != low || tokens[2 * code + 1] != high)) {
                        slot = slot + 1 & slots.length - 1;
                        code = slots[slot];
                    }
                }
                if (code == TokenTable.NONE) {
                    miss(next, start, end);
                }
                ByteAccess.putShort(out, 2 * next++, code);
                start = end;
            }
        }
    }

    private void miss(int code, int start, int end) {
        int at = 3 * missCount++;
        if (misses.length < at + 3) {
            misses = Arrays.copyOf(misses, Math.max(96, 2 * misses.length));
        }
        misses[at] = code;
        misses[at + 1] = start;
        misses[at + 2] = end;
    }

    /** Finds the pieces of all misses; what was a miss's start becomes its number of pieces. */
    private void takeApart(TokenTable table, byte[] data) {
        pieceCount = 0;
        for (int i = 0; i < 3 * missCount; i += 3) {
            int before = pieceCount;
            int end = misses[i + 2];
            for (int start = misses[i + 1]; start < end; start += TokenTable.MAX_TOKEN_BYTES) {
                pieces(table, data, start, Math.min(end, start + TokenTable.MAX_TOKEN_BYTES));
            }
            misses[i + 1] = pieceCount - before;
        }
    }

    /** Takes a word of at most {@link TokenTable#MAX_TOKEN_BYTES} bytes apart. */
    private void pieces(TokenTable table, byte[] data, int start, int end) {
        if (pieces.length < pieceCount + TokenTable.MAX_TOKEN_BYTES) {
            pieces = Arrays.copyOf(pieces, Math.max(64, 2 * pieces.length));
        }
        // Numbers are mostly different, and so not worth remembering.
        if (start > data.length - 16 || TokenTable.isDigit(data[start])) {
            pieceCount += pieces(table, data, start, end, pieces, pieceCount);
            return;
        }
        int length = end - start;
        long low = ByteAccess.getLong(data, start) & LOW_MASKS[length];
        long high = ByteAccess.getLong(data, start + 8) & HIGH_MASKS[length] | (long) length << 56;
        PieceCache cache = known == null ? new PieceCache() : known;
        known = cache;
        int count = cache.copy(table, low, high, pieces, pieceCount);
        if (count == 0) {
            count = pieces(table, data, start, end, pieces, pieceCount);
            cache.put(table, low, high, pieces, pieceCount, count);
        }
        pieceCount += count;
    }

    /** Returns the number of pieces. */
    private static int pieces(TokenTable table, byte[] data, int from, int end, int[] out, int at) {
        int next = at;
        for (int start = from; start < end; start += table.length(out[next++])) {
            out[next] = longestToken(table, data, start, end - start);
        }
        return next - at;
    }

    /** The longest token that at most {@code length} bytes begin with, else the first byte. */
    private static int longestToken(TokenTable table, byte[] data, int start, int length) {
        int lengths =
                length < 2 ? 0 : table.lengthsOf(data[start], data[start + 1]) & (2 << length) - 1;
        if (lengths == 0) {
            return data[start] & 0xFF;
        }
        boolean safe = start <= data.length - 16;
        long low = safe ? ByteAccess.getLong(data, start) : headOf(data, start, length);
        long high =
                safe ? ByteAccess.getLong(data, start + 8) : headOf(data, start + 8, length - 8);
        while (lengths != 0) {
            int candidate = 31 - Integer.numberOfLeadingZeros(lengths);
            lengths ^= 1 << candidate;
            char found =
                    candidate == 3 && TokenTable.isGroup(low)
                            ? table.findGroup(low)
                            : table.find(
                                    low & LOW_MASKS[candidate],
                                    high & HIGH_MASKS[candidate] | (long) candidate << 56);
            if (found != TokenTable.NONE) {
                return found;
            }
        }
        return data[start] & 0xFF;
    }

    private static long headOf(byte[] data, int start, int length) {
        return length <= 0 ? 0 : ByteStrings.head(data, start, Math.min(8, length));
    }

    /** Replaces each miss of rows [from, to) by its pieces, from the last one on. */
    private void insert(TokenColumn out, int from, int to) {
        int[] ends = out.offsets();
        int codeEnd = ends[to];
        out.ensureCodes((long) codeEnd + pieceCount - missCount);
        byte[] codes = out.codes();
        int piece = pieceCount;
        int row = to;
        for (int i = missCount - 1; i >= 0; i--) {
            int at = misses[3 * i];
            int extra = piece - i - 1;
            for (; row > from && ends[row] > at; row--) {
                ends[row] += extra;
            }
            int after = at + 1 + extra;
            move(codes, at + 1, after, codeEnd - at - 1);
            int count = misses[3 * i + 1];
            piece -= count;
            for (int j = 0; j < count; j++) {
                ByteAccess.putShort(codes, 2 * (after - count + j), pieces[piece + j]);
            }
            codeEnd = at;
        }
    }

    /** Moves codes towards the end. Mostly there are only few between two misses. */
    private static void move(byte[] codes, int from, int to, int count) {
        if (count > FEW_CODES) {
            System.arraycopy(codes, 2 * from, codes, 2 * to, 2 * count);
            return;
        }
        for (int i = count - 1; i >= 0; i--) {
            ByteAccess.putShort(codes, 2 * (to + i), ByteAccess.getShort(codes, 2 * (from + i)));
        }
    }
}
