package dev.penstock.dict;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

import java.util.Arrays;
import java.util.List;

/**
 * The words that stand for themselves as one code in the byte strings of a column. A byte string is
 * a sequence of codes: code b below {@link #BYTE_CODES} is the single byte b, so that every byte
 * string has a form; the others are tokens of 2 to {@link #MAX_TOKEN_BYTES} bytes, in an order of
 * the maker's choice. Which sequence stands for a byte string is {@link TokenEncoder}'s business.
 *
 * <p>A token is two words, its bytes and, in the topmost byte, its length. Thus equality is two
 * comparisons, and decoding two stores. Immutable.
 */
public final class TokenTable {
    /** Codes of single bytes. */
    public static final int BYTE_CODES = 256;

    /** Most codes of a table. */
    public static final int MAX_CODES = 4096;

    /** Longest token. */
    public static final int MAX_TOKEN_BYTES = 15;

    /** Most bytes of {@link #write}. */
    public static final int MAX_BYTES = 1 << 16;

    /** Heap of a table, at most. */
    public static final int HEAP_BYTES = 3 << 16;

    /** Bytes beyond a token's end that decoding may overwrite. */
    public static final int SLACK = 16;

    /** Codes that one call of a loop takes, so that it is compiled soon. */
    private static final int WINDOW = 1024;

    /** A hash slot without a code. */
    static final char NONE = 0xFFFF;

    static final int SLOT_BITS = 14;

    /** Two bytes share a place with others in {@link #lengthsByHead}, which has 8 KiB. */
    private static final int HEAD_BITS = 12;

    private final int codeCount;
    private final long[] words;
    private final byte[] lengths;
    private final char[] slots;
    private final char[] lengthsByHead;

    /** Codes of three digits by the number that they are, and {@link #NONE}. */
    private final char[] groups;

    private final long[] heads;
    private final long fingerprint;

    /**
     * Makes a table.
     *
     * @param tokens different, of 2 to {@link #MAX_TOKEN_BYTES} bytes each, the frequent first
     */
    public TokenTable(List<byte[]> tokens) {
        codeCount = BYTE_CODES + tokens.size();
        if (codeCount > MAX_CODES) {
            throw new IllegalArgumentException(tokens.size() + " tokens");
        }
        words = new long[2 * codeCount];
        lengths = new byte[codeCount];
        slots = new char[1 << SLOT_BITS];
        lengthsByHead = new char[1 << HEAD_BITS];
        groups = new char[1000];
        heads = new long[2 * codeCount];
        Arrays.fill(slots, NONE);
        Arrays.fill(groups, NONE);
        for (int code = 0; code < BYTE_CODES; code++) {
            enter(code, new byte[] {(byte) code});
        }
        for (int i = 0; i < tokens.size(); i++) {
            byte[] token = tokens.get(i);
            if (token.length < 2 || token.length > MAX_TOKEN_BYTES) {
                throw new IllegalArgumentException("a token of " + token.length + " bytes");
            }
            if (!enter(BYTE_CODES + i, token)) {
                throw new IllegalArgumentException("a token occurs twice");
            }
            lengthsByHead[headOf(token[0], token[1])] |= (char) (1 << token.length);
        }
        fingerprint = hashAll();
    }

    private boolean enter(int code, byte[] token) {
        byte[] padded = Arrays.copyOf(token, 16);
        long low = ByteAccess.getLong(padded, 0);
        long high = ByteAccess.getLong(padded, 8) | (long) token.length << 56;
        if (find(low, high) != NONE) {
            return false;
        }
        words[2 * code] = low;
        words[2 * code + 1] = high;
        lengths[code] = (byte) token.length;
        long head = Long.reverseBytes(low);
        heads[2 * code] = head ^ Long.MIN_VALUE;
        long unknown = token.length >= 8 ? 0 : -1L >>> 8 * token.length;
        heads[2 * code + 1] = (head | unknown) ^ Long.MIN_VALUE;
        int slot = slot(low, high);
        while (slots[slot] != NONE) {
            slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = (char) code;
        if (token.length == 3 && isGroup(low)) {
            groups[group(low)] = (char) code;
        }
        return true;
    }

    private long hashAll() {
        long hash = codeCount;
        for (long word : words) {
            hash = (Long.rotateLeft(hash, 27) ^ word) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    static int slot(long low, long high) {
        return (int) ((low ^ Long.rotateLeft(high, 27)) * 0x9E3779B97F4A7C15L >>> 64 - SLOT_BITS);
    }

    /** The code of a token given as its two words; {@link #NONE} if it is not in the table. */
    char find(long low, long high) {
        int slot = slot(low, high);
        char code = slots[slot];
        while (code != NONE && (words[2 * code] != low || words[2 * code + 1] != high)) {
            slot = slot + 1 & slots.length - 1;
            code = slots[slot];
        }
        return code;
    }

    /**
     * Bit n is set if there are tokens of n bytes that begin with the two bytes, and seldom if
     * there are none.
     */
    int lengthsOf(byte first, byte second) {
        return lengthsByHead[headOf(first, second)];
    }

    /** Different for digits, and mostly for letters of one case. */
    private static int headOf(byte first, byte second) {
        return (first << 6) + second & (1 << HEAD_BITS) - 1;
    }

    static boolean isDigit(byte letter) {
        return letter >= '0' && letter <= '9';
    }

    /** Whether a word begins with three digits. */
    static boolean isGroup(long low) {
        return (low & 0xF0F0F0) == 0x303030 && (low + 0x060606 & 0xF0F0F0) == 0x303030;
    }

    /** The number that they are. */
    private static int group(long low) {
        return (int) ((low & 0xF) * 100 + (low >>> 8 & 0xF) * 10 + (low >>> 16 & 0xF));
    }

    /** The code of the three digits that a word begins with; {@link #NONE} if there is none. */
    char findGroup(long low) {
        return groups[group(low)];
    }

    long[] words() {
        return words;
    }

    char[] slots() {
        return slots;
    }

    /** Codes, those of single bytes included. */
    public int codeCount() {
        return codeCount;
    }

    /** Bytes that a code stands for. */
    public int length(int code) {
        return lengths[code];
    }

    /** Bytes that each code stands for; not to be changed. */
    public byte[] lengths() {
        return lengths;
    }

    /**
     * The smallest {@link dev.penstock.kernel.ByteStrings#orderedHead head} that byte strings which
     * begin with a code can have.
     */
    public long lowestHead(int code) {
        return heads[2 * code];
    }

    /** The greatest one. */
    public long highestHead(int code) {
        return heads[2 * code + 1];
    }

    /** The same table has the same fingerprint, and different ones hardly ever. */
    public long fingerprint() {
        return fingerprint;
    }

    /** Bytes that codes [from, to) of a {@link TokenColumn} stand for. */
    public long byteCount(byte[] codes, int from, int to) {
        long total = 0;
        for (int i = from; i < to; i++) {
            total += lengths[ByteAccess.getShort(codes, 2 * i)];
        }
        return total;
    }

    /**
     * Writes the bytes of codes [from, to).
     *
     * @param out has room for all of them and {@link #SLACK} more
     * @return where they end
     */
    public int decode(byte[] codes, int from, int to, byte[] out, int at) {
        long[] table = words;
        int position = at;
        for (int i = from; i < to; i++) {
            int entry = 2 * ByteAccess.getShort(codes, 2 * i);
            long high = table[entry + 1];
            ByteAccess.putLong(out, position, table[entry]);
            ByteAccess.putLong(out, position + 8, high);
            position += (int) (high >>> 56);
        }
        return position;
    }

    /**
     * Appends the byte strings of the first rows of a column of codes, after row {@code outRow}.
     */
    public void decode(TokenColumn source, int rows, BytesColumn out, int outRow) {
        byte[] codes = source.codes();
        int[] starts = source.offsets();
        out.ensureRows(outRow + rows);
        int[] ends = out.offsets();
        int position = ends[outRow];
        out.ensureBytes(position + byteCount(codes, 0, starts[rows]) + SLACK);
        byte[] data = out.data();
        for (int row = 0; row < rows; row++) {
            position = decode(codes, starts[row], starts[row + 1], data, position);
            ends[outRow + row + 1] = position;
        }
    }

    /**
     * Writes the bytes of the first codes one after the other, whatever rows they belong to: a loop
     * over the few codes of a row is left too early to be foreseen.
     *
     * @param out has room for all of them and {@link #SLACK} more
     * @param positions becomes where each code's bytes begin, and the last one's end
     */
    public void decode(byte[] codes, int count, byte[] out, int[] positions) {
        int position = 0;
        for (int from = 0; from < count; from += WINDOW) {
            position =
                    decodeWindow(
                            codes, from, Math.min(count, from + WINDOW), out, position, positions);
        }
        positions[count] = position;
    }

    private int decodeWindow(byte[] codes, int from, int to, byte[] out, int at, int[] positions) {
        long[] table = words;
        int position = at;
        for (int i = from; i < to; i++) {
            int entry = 2 * ByteAccess.getShort(codes, 2 * i);
            long high = table[entry + 1];
            ByteAccess.putLong(out, position, table[entry]);
            ByteAccess.putLong(out, position + 8, high);
            positions[i] = position;
            position += (int) (high >>> 56);
        }
        return position;
    }

    /** The bytes of a code. */
    public byte[] token(int code) {
        byte[] bytes = new byte[16];
        ByteAccess.putLong(bytes, 0, words[2 * code]);
        ByteAccess.putLong(bytes, 8, words[2 * code + 1]);
        return Arrays.copyOf(bytes, length(code));
    }

    /** Appends the table: number of tokens:4, then for each: length:1, bytes. */
    public void write(ByteBuilder out) {
        out.putInt(codeCount - BYTE_CODES);
        for (int code = BYTE_CODES; code < codeCount; code++) {
            byte[] token = token(code);
            out.putByte(token.length);
            out.write(token, 0, token.length);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @param what names the source in the message if it is no table
     * @throws PenstockException category CORRUPT
     */
    public static TokenTable read(ByteParser parser, String what) {
        int count = parser.getCount(3);
        if (count > MAX_CODES - BYTE_CODES) {
            throw PenstockException.corrupt(what + " has " + count + " tokens");
        }
        byte[][] tokens = new byte[count][];
        for (int i = 0; i < count; i++) {
            int length = parser.getByte();
            if (length < 2 || length > MAX_TOKEN_BYTES) {
                throw PenstockException.corrupt(what + " has a token of " + length + " bytes");
            }
            int at = parser.skip(length);
            tokens[i] = Arrays.copyOfRange(parser.array(), at, at + length);
        }
        try {
            return new TokenTable(List.of(tokens));
        } catch (IllegalArgumentException e) {
            throw PenstockException.corrupt(what + ": " + e.getMessage());
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenTable table && Arrays.equals(words, table.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }
}
