package dev.penstock.segment;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.NullGaps;
import dev.penstock.kernel.PackedValues;
import dev.penstock.kernel.PrefixSums;
import dev.penstock.schema.ColumnType;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * One block that a {@link BlockCursor} has open: its bytes, checked, and where in them is what.
 * {@link #open} checks the block's checksum (the first time in the life of its reader) and its
 * layout.
 *
 * <p>Kernels see arrays only. The bytes of a segment in the heap are used where they are; of a
 * mapped one, the whole block is copied into scratch when its checksum is due, and later only what
 * the rows asked for take ("windowed"), since a merge of many runs takes each block in many slices.
 *
 * <p>Owned by one thread.
 */
abstract sealed class OpenBlock permits BlockCursor {
    /** PACKED: the smallest value and the bits of a distance. */
    private static final int PACKED_HEADER_BYTES = 9;

    /** CODES: the bits of a code. */
    private static final int CODES_HEADER_BYTES = 1;

    private final BlockChecksum checksum = new BlockChecksum();

    /** Validity bits, if {@link #nullCount} is not 0, and one word more. */
    final long[] words = new long[SegmentFormat.BLOCK_ROWS / 64 + 1];

    /** Values before each of the words. */
    private final int[] valuesBeforeWord = new int[words.length];

    final int[] ints = new int[SegmentFormat.BLOCK_ROWS];
    private byte[] copy = new byte[0];

    @Nullable SegmentReader reader;

    /** Of the block that is being parsed, for messages; null if it is in no segment yet. */
    private @Nullable SegmentReader parsed;

    int column;
    int block;
    byte[] bytes = copy;
    int at;
    int end;

    /** Whether only the beginning of the block is loaded, up to its packed values or its bytes. */
    boolean windowed;

    /** Where the block lies in its segment. */
    long blockOffset;

    byte encoding;
    int rows;
    int nullCount;

    /** Rows that are not NULL. */
    int valueCount;

    /**
     * PACKED: smallest value; scaled: smallest number; BYTES: shortest length; TOKENS: fewest
     * codes; else 0.
     */
    long base;

    /** MULTIPLES and DECIMALS: what makes values of numbers; else 0. */
    int scale;

    int bits;

    /** Where the packed values or lengths begin. */
    int packedAt;

    /** BYTES: where the bytes begin, in {@link #bytes} or in what they are decompressed to. */
    int dataAt;

    /** Bytes, or codes of tokens. */
    int dataLength;

    /** TOKENS: bits of a code. */
    int codeBits;

    int compressedLength;
    boolean decompressed;

    /** Goes to a block. A block that is already open stays as it is. */
    public final void open(SegmentReader newReader, int newColumn, int newBlock) {
        if (reader == newReader && column == newColumn && block == newBlock) {
            return;
        }
        reader = null;
        parsed = newReader;
        column = newColumn;
        block = newBlock;
        BlockTable table = newReader.table(newColumn);
        int length = table.length(newBlock);
        encoding = table.encoding(newBlock);
        rows = newReader.blockRows(newBlock);
        nullCount = table.nullCount(newBlock);
        valueCount = rows - nullCount;
        blockOffset = table.offset(newBlock);
        boolean verified = newReader.isVerified(newColumn, newBlock);
        windowed =
                verified
                        && newReader.heapBytes() == null
                        && encoding != SegmentFormat.BLOCK_BYTES_LZ4;
        if (windowed) {
            if (openByReference(table)) {
                reader = newReader;
                return;
            }
            loadBeginning(newReader);
        } else {
            load(newReader, length);
            if (!verified
                    && checksum.of(newColumn, newBlock, bytes, at, length)
                            != table.checksum(newBlock)) {
                throw newReader.corrupt(newColumn, newBlock, "does not match its checksum");
            }
        }
        end = at + length;
        parse(!verified);
        if (!verified) {
            checkBounds(table.min(newBlock), table.max(newBlock));
            checkLengths(newReader);
        }
        newReader.checked().setVerified(newColumn, newBlock);
        reader = newReader;
    }

    /**
     * Takes all that {@link #parse} would find from the reference to a block that was checked: its
     * bytes are not in the cache any more, and a merge of many runs would wait for those of each
     * slice. False if the reference does not say enough.
     */
    private boolean openByReference(BlockTable table) {
        boolean distances = encoding == SegmentFormat.BLOCK_PACKED;
        if (nullCount > 0 || rows < 8 || !distances && encoding != SegmentFormat.BLOCK_CODES) {
            return false;
        }
        int header = distances ? PACKED_HEADER_BYTES : CODES_HEADER_BYTES;
        int length = table.length(block);
        decompressed = false;
        scale = 0;
        base = distances ? table.min(block) : 0;
        bits = BitPacking.bitsOf(rows, length - header);
        bytes = copy;
        at = 0;
        packedAt = header;
        end = length;
        return true;
    }

    /** Opens a dictionary; checks its checksum. */
    final void openDictionary(
            SegmentReader newReader, int newColumn, long offset, int length, int crc, int entries) {
        reader = null;
        parsed = newReader;
        column = newColumn;
        block = SegmentFormat.DICTIONARY_BLOCK;
        windowed = false;
        blockOffset = offset;
        load(newReader, length);
        if (checksum.of(newColumn, block, bytes, at, length) != crc) {
            throw newReader.corrupt(newColumn, block, "does not match its checksum");
        }
        end = at + length;
        encoding =
                newReader.isLong(newColumn)
                        ? SegmentFormat.BLOCK_PACKED
                        : SegmentFormat.BLOCK_BYTES_PLAIN;
        rows = entries;
        nullCount = 0;
        valueCount = rows;
        parse(true);
        checkLengths(newReader);
        reader = newReader;
    }

    /**
     * Goes to a block as its encoder left it, in no segment yet: only what needs no dictionary and
     * no token table can be decoded.
     *
     * @param source has the block's bytes from {@code from} on
     */
    final void openEncoded(EncodedBlock encoded, int rowCount, byte[] source, int from) {
        reader = null;
        parsed = null;
        windowed = false;
        encoding = encoded.encoding();
        rows = rowCount;
        nullCount = encoded.nullCount();
        valueCount = rows - nullCount;
        bytes = source;
        at = from;
        end = from + encoded.length();
        parse(false);
    }

    /**
     * Whether a segment that is not in the heap has these bytes at a place; no block is open then.
     */
    final boolean holds(SegmentReader from, long offset, byte[] wanted) {
        reader = null;
        copy(from, offset, wanted.length);
        return Arrays.equals(bytes, 0, wanted.length, wanted, 0, wanted.length);
    }

    /** Forgets the block, so that its reader's bytes are not referred to any longer. */
    public final void close() {
        reader = null;
        parsed = null;
        bytes = copy;
    }

    /** Makes the first bytes of the block available at {@link #at}. */
    private void load(SegmentReader from, int length) {
        byte[] heap = from.heapBytes();
        if (heap != null) {
            bytes = heap;
            at = from.heapOffset() + (int) blockOffset;
            return;
        }
        copy(from, blockOffset, length);
        at = 0;
    }

    private void copy(SegmentReader from, long offset, int length) {
        if (copy.length < length + 64) {
            copy = new byte[length + (length >> 2) + 64];
        }
        from.copy(offset, copy, 0, length);
        bytes = copy;
    }

    /** By a copy, which needs nothing that Java makes at run time for accesses to memory. */
    private int byteAt(SegmentReader from, long offset) {
        copy(from, offset, 1);
        return copy[0];
    }

    /** Loads what {@link #parse} looks at: validity, header, and lengths of byte strings. */
    private void loadBeginning(SegmentReader from) {
        int validity = validityBytes();
        int length =
                switch (encoding) {
                    case SegmentFormat.BLOCK_PACKED -> validity + PACKED_HEADER_BYTES;
                    case SegmentFormat.BLOCK_MULTIPLES, SegmentFormat.BLOCK_DECIMALS ->
                            validity + Scale.HEADER_BYTES;
                    case SegmentFormat.BLOCK_CODES -> validity + CODES_HEADER_BYTES;
                    case SegmentFormat.BLOCK_BYTES_PLAIN -> {
                        int lengthBits = byteAt(from, blockOffset + validity + 4);
                        yield validity + 9 + packedBytes(lengthBits);
                    }
                    case SegmentFormat.BLOCK_TOKENS -> {
                        int countBits = byteAt(from, blockOffset + validity + 4);
                        yield validity + 10 + packedBytes(countBits);
                    }
                    default -> validity;
                };
        load(from, length);
    }

    /** Bytes of the validity words: there are none where they would say nothing. */
    private int validityBytes() {
        return nullCount > 0 && valueCount > 0 ? 8 * ((rows + 63) >> 6) : 0;
    }

    private int packedBytes(int valueBits) {
        return (int) BitPacking.packedBytes(valueCount, valueBits);
    }

    /** Values of the rows before a row. */
    final int valuesBefore(int row) {
        if (nullCount == 0) {
            return row;
        }
        int word = row >> 6;
        return valuesBeforeWord[word] + Long.bitCount(words[word] & (1L << row) - 1);
    }

    /**
     * Makes some packed values available: returns where the first one's group of eight begins in
     * {@link #bytes}.
     */
    final int window(int first, int count, int valueBits) {
        if (!windowed) {
            return packedAt + (int) ((long) (first & ~7) * valueBits >> 3);
        }
        SegmentReader from = openReader();
        long start = packedAt - at + ((long) (first & ~7) * valueBits >> 3);
        long stop = packedAt - at + BitPacking.packedBytes(first + count, valueBits);
        copy(from, blockOffset + start, (int) (stop - start));
        return 0;
    }

    final SegmentReader openReader() {
        SegmentReader open = reader;
        if (open == null) {
            throw new IllegalStateException("no block is open");
        }
        return open;
    }

    private void parse(boolean fully) {
        decompressed = false;
        base = 0;
        scale = 0;
        bits = 0;
        if (nullCount > 0) {
            parseValidity(fully);
        }
        int position = at + validityBytes();
        switch (encoding) {
            case SegmentFormat.BLOCK_PLAIN_1 -> parsePlain(position, 1);
            case SegmentFormat.BLOCK_PLAIN_2 -> parsePlain(position, 2);
            case SegmentFormat.BLOCK_PLAIN_4 -> parsePlain(position, 4);
            case SegmentFormat.BLOCK_PLAIN_8 -> parsePlain(position, 8);
            case SegmentFormat.BLOCK_PACKED -> {
                need(position, PACKED_HEADER_BYTES);
                base = ByteAccess.getLong(bytes, position);
                parsePacked(position + 8, 64);
                expectEnd(packedAt + BitPacking.packedBytes(valueCount, bits));
            }
            case SegmentFormat.BLOCK_MULTIPLES, SegmentFormat.BLOCK_DECIMALS ->
                    parseScaled(position);
            case SegmentFormat.BLOCK_CODES -> {
                need(position, CODES_HEADER_BYTES);
                parsePacked(position, 12);
                expectEnd(packedAt + BitPacking.packedBytes(valueCount, bits));
            }
            case SegmentFormat.BLOCK_BYTES_PLAIN, SegmentFormat.BLOCK_BYTES_LZ4 ->
                    parseBytes(position, fully);
            case SegmentFormat.BLOCK_TOKENS -> parseTokens(position, fully);
            default -> throw broken("has the unknown encoding " + encoding);
        }
        // What is said of no values is always the same, as blocks may be taken as they are; bits of
        // codes are those of the dictionary.
        boolean empty = valueCount == 0 && nullCount > 0 && encoding != SegmentFormat.BLOCK_CODES;
        if (fully && empty && (base != 0 || bits != 0 || Scale.isScaled(encoding))) {
            throw broken("says something of values that it does not have");
        }
    }

    private void parseValidity(boolean fully) {
        int length = validityBytes();
        need(at, length);
        Arrays.fill(words, 0, (rows + 63) >> 6, 0);
        for (int i = 0; i < length; i += 8) {
            words[i >> 3] = ByteAccess.getLong(bytes, at + i);
        }
        boolean beyond = (rows & 63) != 0 && words[rows >> 6] >>> rows != 0;
        if (fully && (beyond || BitRange.count(words, 0, rows) != valueCount)) {
            throw broken("has validity bits that do not match its NULLs");
        }
        int before = 0;
        for (int word = 0; word << 6 <= rows; word++) {
            valuesBeforeWord[word] = before;
            before += Long.bitCount(words[word]);
        }
    }

    /**
     * Packed values say themselves which is the smallest, and how far the largest is from it but
     * for its last bits. Bounds that are wrong would hide rows from a predicate, and a merge that
     * takes the block as it is hands them on.
     */
    private void checkBounds(long min, long max) {
        if (nullCount == rows) {
            return;
        }
        boolean right = true;
        if (encoding == SegmentFormat.BLOCK_PACKED) {
            right = min == base && BitPacking.bitsFor(max - min) == bits;
        } else if (Scale.isScaled(encoding)) {
            long furthest = Scale.firstAtLeast(encoding, scale, base, bits, max);
            right =
                    min == Scale.value(encoding, scale, base)
                            && max == Scale.value(encoding, scale, base + furthest)
                            && BitPacking.bitsFor(furthest) == bits;
        }
        if (!right) {
            throw broken("has bounds that its values do not have");
        }
    }

    /**
     * The same goes for lengths, of strings or of their codes, each of which is a byte at least. By
     * the longest one merges know how many rows they may put into a block, and what these take.
     */
    private void checkLengths(SegmentReader from) {
        boolean strings =
                encoding == SegmentFormat.BLOCK_BYTES_PLAIN
                        || encoding == SegmentFormat.BLOCK_BYTES_LZ4
                        || encoding == SegmentFormat.BLOCK_TOKENS;
        long longest = base + (bits == 0 ? 0 : 1L << (bits - 1));
        if (strings && longest > from.statistics(column).maxLength()) {
            throw broken("has longer byte strings than its segment says");
        }
    }

    private void parseScaled(int position) {
        need(position, Scale.HEADER_BYTES);
        scale = Scale.at(bytes, position);
        base = ByteAccess.getLong(bytes, position + Scale.BASE_AT);
        SegmentReader from = parsed;
        ColumnType type = from == null ? null : from.schema().column(column).type();
        if (!Scale.isPossible(encoding, scale, base)
                || type != null && !Scale.fits(encoding, scale, type)) {
            throw broken("has an impossible scale");
        }
        parsePacked(position + Scale.BITS_AT, Scale.maxBits(encoding));
        expectEnd(packedAt + BitPacking.packedBytes(valueCount, bits));
    }

    private void parsePlain(int position, int width) {
        packedAt = position;
        expectEnd(position + (long) valueCount * width);
    }

    private void parsePacked(int position, int maxBits) {
        bits = bytes[position] & 0xFF;
        if (bits > maxBits) {
            throw broken("has values of " + bits + " bits");
        }
        packedAt = position + 1;
    }

    private void parseBytes(int position, boolean fully) {
        need(position, 5);
        base = ByteAccess.getInt(bytes, position);
        parsePacked(position + 4, 31);
        long dataHeader = packedAt + BitPacking.packedBytes(valueCount, bits);
        need(dataHeader, 4);
        dataLength = ByteAccess.getInt(bytes, (int) dataHeader);
        dataAt = (int) dataHeader + 4;
        if (encoding == SegmentFormat.BLOCK_BYTES_LZ4) {
            need(dataAt, 4);
            compressedLength = ByteAccess.getInt(bytes, dataAt);
            dataAt += 4;
            if (compressedLength < 0 || dataLength > 256L * compressedLength + 64) {
                throw broken("has an impossible compressed length");
            }
            expectEnd((long) dataAt + compressedLength);
        } else {
            expectEnd((long) dataAt + dataLength);
        }
        if (dataLength < 0 || base < 0 || fully && lengthOfAll() != dataLength) {
            throw broken("has lengths that do not add up");
        }
        if (dataLength > SegmentFormat.mostBytes(rows)) {
            throw broken("has more bytes than a block of more than one row may");
        }
    }

    private void parseTokens(int position, boolean fully) {
        need(position, 5);
        base = ByteAccess.getInt(bytes, position);
        parsePacked(position + 4, 31);
        long header = packedAt + BitPacking.packedBytes(valueCount, bits);
        need(header, 5);
        dataLength = ByteAccess.getInt(bytes, (int) header);
        codeBits = bytes[(int) header + 4] & 0xFF;
        dataAt = (int) header + 5;
        if (base < 0
                || dataLength < 0
                || dataLength > SegmentFormat.BLOCK_CODE_LIMIT
                || codeBits > 12
                || fully && lengthOfAll() != dataLength) {
            throw broken("has numbers of codes that do not add up");
        }
        expectEnd(dataAt + BitPacking.packedBytes(dataLength, codeBits));
    }

    private PenstockException broken(String what) {
        SegmentReader from = parsed;
        return from == null
                ? PenstockException.corrupt("an encoded block " + what)
                : from.corrupt(column, block, what);
    }

    private void need(long position, long count) {
        if (count > end - position) {
            throw broken("ends too early");
        }
    }

    private void expectEnd(long position) {
        if (position != end) {
            throw broken("does not have the length that its layout says");
        }
    }

    /**
     * Writes where byte strings end that lie one after the other, or their codes; {@code
     * out[outRow]} says where the first begins. NULLs are empty.
     */
    final void ends(int first, int count, int[] out, int outRow) {
        int firstValue = valuesBefore(first);
        int values = valuesBefore(first + count) - firstValue;
        int start = outRow + count - values;
        out[start] = out[outRow];
        endsOfValues(firstValue, values, out, start);
        if (values < count) {
            NullGaps.openEnds(out, outRow + 1, count, values, words, first);
        }
    }

    /** The same of values, numbered without the NULLs. */
    final void endsOfValues(int first, int count, int[] out, int outAt) {
        BitPacking.unpack(bytes, packedAt, first, count, bits, (int) base, out, outAt + 1);
        PrefixSums.run(out, outAt + 1, count);
    }

    /** The lengths of the first values together; a sum of longs, which no block can overflow. */
    final long totalLength(int count) {
        return totalLength(0, count);
    }

    /** The same of the values after the first {@code from}, a multiple of 8. */
    final long totalLength(int from, int count) {
        int skipped = (int) BitPacking.packedBytes(from, bits);
        return base * count + PackedValues.sum(bytes, packedAt + skipped, count, bits);
    }

    /** The same of all, for the check of a block that is met first. */
    private long lengthOfAll() {
        return base * valueCount + PackedValues.sumOnce(bytes, packedAt, valueCount, bits);
    }
}
