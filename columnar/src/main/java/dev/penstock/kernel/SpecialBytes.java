package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** Whether a text has a byte that a format cannot hold as it is, eight bytes at a time. */
public final class SpecialBytes {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long COMMAS = ',' * ONES;
    private static final long QUOTES = '"' * ONES;
    private static final long FEEDS = '\n' * ONES;
    private static final long RETURNS = '\r' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final long SPACES = ' ' * ONES;

    /** Stand for bytes beyond a text. */
    private static final long LETTERS = 'a' * ONES;

    private SpecialBytes() {}

    /** Whether a field of CSV with this text needs quotes: for a comma, a quote or a line end. */
    public static boolean needQuotes(byte[] text, int from, int to) {
        int at = from;
        for (; at <= to - 8; at += 8) {
            if (quoted(ByteAccess.getLong(text, at)) != 0) {
                return true;
            }
        }
        return at < to && quoted(rest(text, at, to)) != 0;
    }

    /** Whether a string of JSON with this text needs escapes: for a quote, \ or a control byte. */
    public static boolean needEscapes(byte[] text, int from, int to) {
        int at = from;
        for (; at <= to - 8; at += 8) {
            if (escaped(ByteAccess.getLong(text, at)) != 0) {
                return true;
            }
        }
        return at < to && escaped(rest(text, at, to)) != 0;
    }

    private static long quoted(long word) {
        return (zeros(word ^ COMMAS)
                        | zeros(word ^ QUOTES)
                        | zeros(word ^ FEEDS)
                        | zeros(word ^ RETURNS))
                & HIGH_BITS;
    }

    private static long escaped(long word) {
        long controls = word - SPACES & ~word;
        return (controls | zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES)) & HIGH_BITS;
    }

    /** A high bit is set if, and only if, a byte is 0; maybe not only that byte's. */
    private static long zeros(long word) {
        return word - ONES & ~word;
    }

    /** The last bytes, fewer than eight, and letters. */
    private static long rest(byte[] text, int from, int to) {
        int length = to - from;
        return ByteStrings.head(text, from, length) | LETTERS << 8 * length;
    }
}
