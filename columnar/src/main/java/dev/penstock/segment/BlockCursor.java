package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenTable;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.kernel.IntRange;
import dev.penstock.kernel.NarrowPacking;
import dev.penstock.kernel.NullGaps;
import dev.penstock.schema.ValueRange;
import dev.penstock.sort.CodeLane;

import net.jpountz.lz4.LZ4Exception;

import org.jspecify.annotations.Nullable;

/**
 * Decodes blocks, one at a time: once a block is open, any range of its rows is decoded any number
 * of times. Owned by one thread.
 */
public final class BlockCursor extends OpenBlock {
    private final TokenColumn tokenScratch = new TokenColumn();
    private byte[] unpacked = new byte[0];

    public int rows() {
        return rows;
    }

    public int nullCount() {
        return nullCount;
    }

    /** Whether the block holds codes into its column's dictionary. */
    public boolean hasCodes() {
        return encoding == SegmentFormat.BLOCK_CODES;
    }

    /** Validity bits of the block's rows; meaningful only if {@link #nullCount} is not 0. */
    public long[] validityWords() {
        return words;
    }

    /** Decodes {@code count} rows from row {@code first} of the block, appending at outRow. */
    public void append(int first, int count, ColumnData out, int outRow) {
        out.ensureRows(outRow + count);
        appendValidity(first, count, out.validity(), outRow);
        switch (out) {
            case LongColumn longs -> longs(first, count, longs.values(), outRow);
            case BytesColumn strings -> strings(first, count, strings, outRow);
        }
    }

    /** Appends which of the rows are NULL at {@code outRow}. */
    public void appendValidity(int first, int count, Validity out, int outRow) {
        if (nullCount > 0) {
            out.ensureBits(outRow + count);
            BitRange.copy(words, first, out.words(), outRow, count);
        } else {
            out.setValid(outRow, count);
        }
    }

    /** Decodes long values; NULLs become 0. */
    public void longs(int first, int count, long[] out, int outAt) {
        int firstValue = valuesBefore(first);
        int values = valuesBefore(first + count) - firstValue;
        valuesAsLongs(firstValue, values, out, outAt + count - values);
        if (values < count) {
            NullGaps.open(out, outAt, count, values, words, first, 0);
        }
    }

    /** Decodes long values, numbered without the NULLs. */
    void valuesAsLongs(int first, int count, long[] out, int outAt) {
        switch (encoding) {
            case SegmentFormat.BLOCK_PLAIN_1 -> {
                int from = window(first, count, 8) + (first & 7);
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = bytes[from + i];
                }
            }
            case SegmentFormat.BLOCK_PLAIN_2 -> {
                int from = window(first, count, 16) + 2 * (first & 7);
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = ByteAccess.getShort(bytes, from + 2 * i);
                }
            }
            case SegmentFormat.BLOCK_PLAIN_4 -> {
                int from = window(first, count, 32) + 4 * (first & 7);
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = ByteAccess.getInt(bytes, from + 4 * i);
                }
            }
            case SegmentFormat.BLOCK_PLAIN_8 -> {
                int from = window(first, count, 64) + 8 * (first & 7);
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = ByteAccess.getLong(bytes, from + 8 * i);
                }
            }
            case SegmentFormat.BLOCK_PACKED -> {
                int from = window(first, count, bits);
                BitPacking.unpack(bytes, from, first & 7, count, bits, base, out, outAt);
            }
            case SegmentFormat.BLOCK_MULTIPLES, SegmentFormat.BLOCK_DECIMALS -> {
                int from = window(first, count, bits);
                BitPacking.unpack(bytes, from, first & 7, count, bits, base, out, outAt);
                Scale.values(encoding, scale, out, outAt, count);
            }
            case SegmentFormat.BLOCK_CODES -> {
                codesOfValues(first, count, ints, 0);
                long[] values = ((LongDictionary) presentDictionary()).values();
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = values[ints[i]];
                }
            }
            default -> throw new IllegalStateException("a block of byte strings read as longs");
        }
    }

    /** Whether the block holds packed values: codes, or distances from a base, scaled or not. */
    public boolean isPacked() {
        return encoding == SegmentFormat.BLOCK_CODES
                || encoding == SegmentFormat.BLOCK_PACKED
                || isScaled();
    }

    /**
     * Whether the block holds numbers that a scale makes values of, as distances from the least.
     */
    public boolean isScaled() {
        return Scale.isScaled(encoding);
    }

    /**
     * Makes all packed values of the block available, if it {@link #isPacked}. Codes are checked to
     * be entries, whatever others have read of the block, once in the life of its reader.
     */
    public void packed(PackedBlock out) {
        if (hasCodes()) {
            checkCodes();
        }
        int from = window(0, valueCount, bits);
        out.set(bytes, from, valueCount, bits, base);
        out.setScale(encoding, scale);
        out.setRows(rows, nullCount > 0 ? words : Validity.NO_WORDS);
    }

    /** Whether the block holds long values as distances from its smallest. */
    public boolean hasDistances() {
        return encoding == SegmentFormat.BLOCK_PACKED;
    }

    /** If the block {@link #hasDistances}: what they are distances from. */
    public long base() {
        return base;
    }

    /** If the block {@link #hasDistances}: bits that hold each. */
    public int distanceBits() {
        return bits;
    }

    /**
     * Decodes distances, of at most 31 bits, adding a number to each; those of NULLs are 0. Sums
     * wrap around.
     */
    public void distances(int first, int count, int summand, int[] out, int outAt) {
        int firstValue = valuesBefore(first);
        int values = valuesBefore(first + count) - firstValue;
        distancesOfValues(firstValue, values, summand, out, outAt + count - values);
        if (values < count) {
            NullGaps.open(out, outAt, count, values, words, first, summand);
        }
    }

    /** The same of values, numbered without the NULLs. */
    void distancesOfValues(int first, int count, int summand, int[] out, int outAt) {
        int from = window(first, count, bits);
        BitPacking.unpack(bytes, from, first & 7, count, bits, summand, out, outAt);
    }

    /**
     * Decodes distances to a lane, adding a number to each.
     *
     * @return false if one is then above the limit, or if that is not easy to say, as where there
     *     are NULLs
     */
    public boolean distances(
            int first, int count, int summand, int limit, CodeLane out, int outRow) {
        int firstValue = valuesBefore(first);
        if (valuesBefore(first + count) - firstValue < count) {
            return false;
        }
        int from = window(firstValue, count, bits);
        return out.unpack(bytes, from, firstValue & 7, count, bits, summand, limit, outRow);
    }

    /** Decodes codes, each checked to be an entry, to a lane that has room for all entries. */
    public void codes(int first, int count, CodeLane out, int outRow) {
        int highest = dictionaryEntries() - 1;
        if (!distances(first, count, 0, highest, out, outRow)) {
            codes(first, count, ints, 0);
            out.put(ints, count, outRow);
        }
    }

    /** Decodes codes, each checked to be an entry; NULLs have code 0. */
    public void codes(int first, int count, int[] out, int outAt) {
        int firstValue = valuesBefore(first);
        int values = valuesBefore(first + count) - firstValue;
        codesOfValues(firstValue, values, out, outAt + count - values);
        if (values < count) {
            NullGaps.open(out, outAt, count, values, words, first, 0);
        }
    }

    /** The same of values, numbered without the NULLs. */
    void codesOfValues(int first, int count, int[] out, int outAt) {
        int from = window(first, count, bits);
        BitPacking.unpack(bytes, from, first & 7, count, bits, out, outAt);
        int size = dictionaryEntries();
        if (size < 1 << bits && count > 0) {
            int highest = IntRange.high(IntRange.of(out, outAt, count));
            if (highest >= size) {
                throw PenstockException.corrupt(
                        where() + " has the code " + highest + " of " + size + " entries");
            }
        }
    }

    /** If the block {@link #hasCodes}: bits that hold each. */
    public int bitsOfCode() {
        return bits;
    }

    /** Checks that all codes are entries, if the block {@link #hasCodes}. */
    public void checkCodes() {
        BlockChecks checked = openReader().checked();
        if (!checked.hasEntriesOnly(column, block)) {
            if (dictionaryEntries() < 1 << bits) {
                codesOfValues(0, valueCount, ints, 0);
            }
            checked.setEntriesOnly(column, block);
        }
    }

    /** Checks that all codes are tokens of the table, if the block holds tokens. */
    public void checkTokens() {
        if (presentTokens().codeCount() < 1 << codeBits) {
            tokens(0, rows, tokenScratch, 0);
        }
    }

    private String where() {
        SegmentReader from = reader;
        return from == null ? "a closed block" : from.where(column, block);
    }

    private int dictionaryEntries() {
        SegmentReader from = reader;
        return from == null ? 0 : from.dictionaryEntries(column);
    }

    private Dictionary presentDictionary() {
        SegmentReader from = reader;
        Dictionary present = from == null ? null : from.dictionary(column);
        if (present == null) {
            throw PenstockException.corrupt(where() + " has codes without a dictionary");
        }
        return present;
    }

    /**
     * Where a row begins among what the block's rows are made of: bytes of byte strings, or codes
     * of tokens. Adds up the lengths of all rows before it.
     */
    public int start(int row) {
        boolean single = encoding == SegmentFormat.BLOCK_CODES;
        return single ? row : (int) totalLength(valuesBefore(row));
    }

    /**
     * The same, from where another row begins; adds up the lengths from that one on, if there are
     * no NULLs.
     *
     * @param knownRow a multiple of 8, not after the row
     */
    int start(int row, int knownRow, int knownStart) {
        if (encoding == SegmentFormat.BLOCK_CODES || nullCount > 0) {
            return start(row);
        }
        return knownStart + (int) totalLength(knownRow, row - knownRow);
    }

    /** Decodes byte strings, which are appended at {@code outRow}; NULLs are empty. */
    public void strings(int first, int count, BytesColumn out, int outRow) {
        strings(first, count, start(first), out, outRow);
    }

    /**
     * The same.
     *
     * @param rowStart {@link #start} of the first row
     * @return the start of the row after the last
     */
    public int strings(int first, int count, int rowStart, BytesColumn out, int outRow) {
        out.ensureRows(outRow + count);
        if (encoding == SegmentFormat.BLOCK_CODES) {
            lookUp(first, count, out, outRow);
            return first + count;
        }
        if (encoding == SegmentFormat.BLOCK_TOKENS) {
            int end = tokens(first, count, rowStart, tokenScratch, 0);
            presentTokens().decode(tokenScratch, count, out, outRow);
            return end;
        }
        int start = dataAt + rowStart;
        int[] offsets = out.offsets();
        ends(first, count, offsets, outRow);
        int position = offsets[outRow + count];
        int length = position - offsets[outRow];
        out.ensureBytes((long) position + 64);
        if (windowed) {
            openReader().copy(blockOffset + start - at, out.data(), offsets[outRow], length);
        } else if (encoding == SegmentFormat.BLOCK_BYTES_PLAIN) {
            System.arraycopy(bytes, start, out.data(), offsets[outRow], length);
        } else if (length == dataLength && !decompressed) {
            decompress(out.data(), offsets[outRow]);
        } else {
            decompressAll();
            System.arraycopy(unpacked, rowStart, out.data(), offsets[outRow], length);
        }
        return rowStart + length;
    }

    /** The entries of the open dictionary of numbers: in order, and of the column's type. */
    LongDictionary longEntries() {
        SegmentReader from = openReader();
        long[] values = new long[rows];
        longs(0, rows, values, 0);
        for (int i = 1; i < rows; i++) {
            if (values[i - 1] >= values[i]) {
                throw from.corrupt(column, block, "does not ascend");
            }
        }
        ValueRange range = ValueRange.of(from.schema().column(column).type());
        if (rows > 0 && !(range.has(values[0]) && range.has(values[rows - 1]))) {
            throw from.corrupt(column, block, "has values that the column's type does not have");
        }
        return new LongDictionary(values);
    }

    /** The entries of the open dictionary of byte strings. */
    BytesDictionary entries() {
        int[] offsets = new int[rows + 1];
        endsOfValues(0, rows, offsets, 0);
        byte[] data = new byte[dataLength + BytesDictionary.SLACK];
        System.arraycopy(bytes, dataAt, data, 0, dataLength);
        return new BytesDictionary(rows, offsets, data);
    }

    /** What the codes of {@link #tokens} mean; null if the block does not hold tokens. */
    public @Nullable TokenTable tokenTable() {
        return encoding == SegmentFormat.BLOCK_TOKENS ? presentTokens() : null;
    }

    private TokenTable presentTokens() {
        TokenTable table = openReader().tokens(column);
        if (table == null) {
            throw PenstockException.corrupt(where() + " has tokens without a table");
        }
        return table;
    }

    /** Appends the codes of rows of a block of tokens, each checked; NULLs have none. */
    public void tokens(int first, int count, TokenColumn out, int outRow) {
        tokens(first, count, start(first), out, outRow);
    }

    /**
     * The same.
     *
     * @param start {@link #start} of the first row
     * @return the start of the row after the last
     */
    public int tokens(int first, int count, int start, TokenColumn out, int outRow) {
        out.ensureRows(outRow + count);
        int[] ends = out.offsets();
        int outAt = ends[outRow];
        ends(first, count, ends, outRow);
        int position = ends[outRow + count];
        int codes = position - outAt;
        out.ensureCodes(position);
        int at = codeWindow(start, codes);
        byte[] from = windowed ? unpacked : bytes;
        int size = presentTokens().codeCount();
        byte[] target = out.codes();
        if (!NarrowPacking.unpackShorts(
                from, at, start & 7, codes, codeBits, 0, size - 1, target, outAt)) {
            throw noToken(out, outAt, codes, size);
        }
        return start + codes;
    }

    /** Decodes codes [first, first + count) of an open block that is in no segment yet. */
    void unpackTokens(int first, int count, byte[] out) {
        int any = (1 << NarrowPacking.MAX_SHORT_BITS) - 1;
        NarrowPacking.unpackShorts(bytes, dataAt, first, count, codeBits, 0, any, out, 0);
    }

    /** Where the group of eight begins that the code belongs to. */
    private int codeWindow(int first, int count) {
        int skipped = (int) ((first & ~7) * (long) codeBits >> 3);
        if (!windowed) {
            return dataAt + skipped;
        }
        int length = (int) BitPacking.packedBytes(first + count, codeBits) - skipped;
        if (unpacked.length < length + 64) {
            unpacked = new byte[length + (length >> 2) + 64];
        }
        long from = blockOffset + dataAt - at + skipped;
        openReader().copy(from, unpacked, 0, length);
        return 0;
    }

    private PenstockException noToken(TokenColumn codes, int from, int count, int size) {
        int highest = 0;
        for (int i = from; i < from + count; i++) {
            highest = Math.max(highest, codes.code(i));
        }
        return PenstockException.corrupt(where() + " has the token " + highest + " of " + size);
    }

    private void lookUp(int first, int count, BytesColumn out, int outRow) {
        int firstValue = valuesBefore(first);
        int values = valuesBefore(first + count) - firstValue;
        codesOfValues(firstValue, values, ints, 0);
        BytesDictionary entries = (BytesDictionary) presentDictionary();
        int[] offsets = out.offsets();
        int[] from = entries.offsets();
        long total = offsets[outRow];
        for (int i = 0; i < values; i++) {
            total += from[ints[i] + 1] - from[ints[i]];
        }
        if (total - offsets[outRow] > SegmentFormat.mostBytes(rows)) {
            throw PenstockException.corrupt(
                    where() + " stands for more bytes than a block of more than one row may have");
        }
        out.ensureBytes(total + 64);
        int start = outRow + count - values;
        offsets[start] = offsets[outRow];
        ByteStrings.gather(from, entries.data(), ints, 0, values, offsets, out.data(), start);
        if (values < count) {
            NullGaps.openEnds(offsets, outRow + 1, count, values, words, first);
        }
    }

    /** Decompresses all byte strings, one after the other. */
    void decompressAll(BytesColumn out) {
        out.ensureBytes((long) dataLength + 64);
        decompress(out.data(), 0);
    }

    private void decompressAll() {
        if (!decompressed) {
            if (unpacked.length < dataLength) {
                unpacked = new byte[dataLength + (dataLength >> 2)];
            }
            decompress(unpacked, 0);
            decompressed = true;
        }
    }

    private void decompress(byte[] target, int to) {
        try {
            int length =
                    Lz4.DECOMPRESSOR.decompress(
                            bytes, dataAt, compressedLength, target, to, dataLength);
            if (length != dataLength) {
                throw PenstockException.corrupt(where() + " decompresses to a wrong length");
            }
        } catch (LZ4Exception e) {
            throw new PenstockException(ErrorCategory.CORRUPT, where() + " does not decompress", e);
        }
    }
}
