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

import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Decodes blocks, one at a time: {@link #open} checks the block's checksum (the first time in the
 * life of its reader) and layout, then any range of its rows is decoded any number of times.
 *
 * <p>Kernels see arrays only. The bytes of a segment in the heap are used where they are; of a
 * mapped one, the whole block is copied into scratch when its checksum is due, and later only what
 * the rows asked for take ("windowed"), since a merge of many runs takes each block in many slices.
 *
 * <p>Owned by one thread.
 */
public final class BlockCursor {
    private static final LZ4SafeDecompressor LZ4 = LZ4Factory.fastestInstance().safeDecompressor();

    private final BlockChecksum checksum = new BlockChecksum();
    private final long[] words = new long[SegmentFormat.BLOCK_ROWS / 64];
    private final int[] ints = new int[SegmentFormat.BLOCK_ROWS];
    private byte[] copy = new byte[0];
    private byte[] unpacked = new byte[0];
    private final TokenColumn tokenScratch = new TokenColumn();

    private @Nullable SegmentReader reader;
    private int column;
    private int block;
    private byte[] bytes = copy;
    private int at;
    private int end;

    /** Whether only the beginning of the block is loaded, up to its packed values or its bytes. */
    private boolean windowed;

    /** Where the block lies in its segment. */
    private long blockOffset;

    /** Whether the block has codes that nobody has looked at since its reader was opened. */
    private boolean unchecked;

    private byte encoding;
    private int rows;
    private int nullCount;

    /** PACKED: smallest value; BYTES: shortest length. */
    private long base;

    private int bits;

    /** Where the packed values or lengths begin. */
    private int packedAt;

    /** BYTES: where the bytes begin, in {@link #bytes} or, decompressed, in {@link #unpacked}. */
    private int dataAt;

    /** Bytes, or codes of tokens. */
    private int dataLength;

    /** TOKENS: bits of a code. */
    private int codeBits;

    private int compressedLength;
    private boolean decompressed;

    /** Goes to a block. A block that is already open stays as it is. */
    public void open(SegmentReader newReader, int newColumn, int newBlock) {
        if (reader == newReader && column == newColumn && block == newBlock) {
            return;
        }
        reader = null;
        column = newColumn;
        block = newBlock;
        BlockTable table = newReader.table(newColumn);
        int length = table.lengths[newBlock];
        encoding = table.encodings[newBlock];
        rows = newReader.blockRows(newBlock);
        nullCount = table.nullCounts[newBlock];
        blockOffset = table.offsets[newBlock];
        boolean verified = newReader.isVerified(newColumn, newBlock);
        windowed =
                verified
                        && newReader.heapBytes() == null
                        && encoding != SegmentFormat.BLOCK_BYTES_LZ4;
        if (windowed) {
            loadBeginning(newReader);
        } else {
            load(newReader, length);
            if (!verified
                    && checksum.of(newColumn, newBlock, bytes, at, length)
                            != table.checksums[newBlock]) {
                throw newReader.corrupt(newColumn, newBlock, "does not match its checksum");
            }
        }
        end = at + length;
        parse(newReader, !verified);
        unchecked = !verified && encoding == SegmentFormat.BLOCK_CODES;
        newReader.setVerified(newColumn, newBlock);
        reader = newReader;
    }

    /** Reads a dictionary's entries into {@code out}; checks the checksum and that they ascend. */
    void openDictionary(
            SegmentReader newReader, int newColumn, long offset, int length, int crc, int entries) {
        reader = null;
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
        parse(newReader, true);
        reader = newReader;
    }

    /** Forgets the block, so that its reader's bytes are not referred to any longer. */
    public void close() {
        reader = null;
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
        MemorySegment.copy(from.bytes(), ValueLayout.JAVA_BYTE, offset, copy, 0, length);
        bytes = copy;
    }

    /** Loads what {@link #parse} looks at: validity, header, and lengths of byte strings. */
    private void loadBeginning(SegmentReader from) {
        int validity = nullCount > 0 ? 8 * ((rows + 63) >> 6) : 0;
        int length =
                switch (encoding) {
                    case SegmentFormat.BLOCK_PACKED -> validity + 9;
                    case SegmentFormat.BLOCK_CODES -> validity + 1;
                    case SegmentFormat.BLOCK_BYTES_PLAIN -> {
                        int lengthBits =
                                from.bytes().get(ValueLayout.JAVA_BYTE, blockOffset + validity + 4);
                        yield validity + 9 + (int) BitPacking.packedBytes(rows, lengthBits);
                    }
                    case SegmentFormat.BLOCK_TOKENS -> {
                        int countBits =
                                from.bytes().get(ValueLayout.JAVA_BYTE, blockOffset + validity + 4);
                        yield validity + 10 + (int) BitPacking.packedBytes(rows, countBits);
                    }
                    default -> validity;
                };
        load(from, length);
    }

    /**
     * Makes the packed values of some rows available: returns where the first one's group of eight
     * begins in {@link #bytes}.
     */
    private int window(int first, int count, int valueBits) {
        if (!windowed) {
            return packedAt + (int) ((long) (first & ~7) * valueBits >> 3);
        }
        SegmentReader from = openReader();
        long start = packedAt - at + ((long) (first & ~7) * valueBits >> 3);
        long stop = packedAt - at + BitPacking.packedBytes(first + count, valueBits);
        copy(from, blockOffset + start, (int) (stop - start));
        return 0;
    }

    private SegmentReader openReader() {
        SegmentReader open = reader;
        if (open == null) {
            throw new IllegalStateException("no block is open");
        }
        return open;
    }

    private void parse(SegmentReader from, boolean fully) {
        decompressed = false;
        int position = at;
        if (nullCount > 0) {
            int count = (rows + 63) >> 6;
            need(from, position, 8L * count);
            for (int i = 0; i < count; i++) {
                words[i] = ByteAccess.getLong(bytes, position + 8 * i);
            }
            if (fully && BitRange.count(words, 0, rows) != rows - nullCount) {
                throw from.corrupt(column, block, "has validity bits that do not match its NULLs");
            }
            position += 8 * count;
        }
        switch (encoding) {
            case SegmentFormat.BLOCK_PLAIN_1 -> parsePlain(from, position, 1);
            case SegmentFormat.BLOCK_PLAIN_2 -> parsePlain(from, position, 2);
            case SegmentFormat.BLOCK_PLAIN_4 -> parsePlain(from, position, 4);
            case SegmentFormat.BLOCK_PLAIN_8 -> parsePlain(from, position, 8);
            case SegmentFormat.BLOCK_PACKED -> {
                need(from, position, 9);
                base = ByteAccess.getLong(bytes, position);
                parsePacked(from, position + 8, 64);
                expectEnd(from, packedAt + BitPacking.packedBytes(rows, bits));
            }
            case SegmentFormat.BLOCK_CODES -> {
                need(from, position, 1);
                parsePacked(from, position, 12);
                expectEnd(from, packedAt + BitPacking.packedBytes(rows, bits));
            }
            case SegmentFormat.BLOCK_BYTES_PLAIN, SegmentFormat.BLOCK_BYTES_LZ4 ->
                    parseBytes(from, position, fully);
            case SegmentFormat.BLOCK_TOKENS -> parseTokens(from, position, fully);
            default -> throw from.corrupt(column, block, "has the unknown encoding " + encoding);
        }
    }

    private void parsePlain(SegmentReader from, int position, int width) {
        packedAt = position;
        expectEnd(from, position + (long) rows * width);
    }

    private void parsePacked(SegmentReader from, int position, int maxBits) {
        bits = bytes[position] & 0xFF;
        if (bits > maxBits) {
            throw from.corrupt(column, block, "has values of " + bits + " bits");
        }
        packedAt = position + 1;
    }

    private void parseBytes(SegmentReader from, int position, boolean fully) {
        need(from, position, 5);
        base = ByteAccess.getInt(bytes, position);
        parsePacked(from, position + 4, 31);
        long dataHeader = packedAt + BitPacking.packedBytes(rows, bits);
        need(from, dataHeader, 4);
        dataLength = ByteAccess.getInt(bytes, (int) dataHeader);
        dataAt = (int) dataHeader + 4;
        if (encoding == SegmentFormat.BLOCK_BYTES_LZ4) {
            need(from, dataAt, 4);
            compressedLength = ByteAccess.getInt(bytes, dataAt);
            dataAt += 4;
            if (compressedLength < 0 || dataLength > 256L * compressedLength + 64) {
                throw from.corrupt(column, block, "has an impossible compressed length");
            }
            expectEnd(from, (long) dataAt + compressedLength);
        } else {
            expectEnd(from, (long) dataAt + dataLength);
        }
        if (dataLength < 0 || base < 0 || fully && totalLength(rows) != dataLength) {
            throw from.corrupt(column, block, "has lengths that do not add up");
        }
    }

    private void parseTokens(SegmentReader from, int position, boolean fully) {
        need(from, position, 5);
        base = ByteAccess.getInt(bytes, position);
        parsePacked(from, position + 4, 31);
        long header = packedAt + BitPacking.packedBytes(rows, bits);
        need(from, header, 5);
        dataLength = ByteAccess.getInt(bytes, (int) header);
        codeBits = bytes[(int) header + 4] & 0xFF;
        dataAt = (int) header + 5;
        if (base < 0
                || dataLength < 0
                || dataLength > SegmentFormat.BLOCK_CODE_LIMIT
                || codeBits > 12
                || fully && totalLength(rows) != dataLength) {
            throw from.corrupt(column, block, "has numbers of codes that do not add up");
        }
        expectEnd(from, dataAt + BitPacking.packedBytes(dataLength, codeBits));
    }

    private void need(SegmentReader from, long position, long count) {
        if (count > end - position) {
            throw from.corrupt(column, block, "ends too early");
        }
    }

    private void expectEnd(SegmentReader from, long position) {
        if (position != end) {
            throw from.corrupt(column, block, "does not have the length that its layout says");
        }
    }

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

    private void appendValidity(int first, int count, Validity out, int outRow) {
        if (nullCount > 0) {
            out.ensureBits(outRow + count);
            BitRange.copy(words, first, out.words(), outRow, count);
        } else if (out.hasNulls()) {
            out.ensureBits(outRow + count);
            BitRange.set(out.words(), outRow, count);
        }
    }

    /** Decodes long values; NULLs become 0. */
    public void longs(int first, int count, long[] out, int outAt) {
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
                clearNulls(first, count, out, outAt);
            }
            case SegmentFormat.BLOCK_CODES -> {
                codes(first, count, ints, 0);
                long[] values = ((LongDictionary) presentDictionary()).values();
                if (values.length == 0) {
                    Arrays.fill(out, outAt, outAt + count, 0);
                    return;
                }
                for (int i = 0; i < count; i++) {
                    out[outAt + i] = values[ints[i]];
                }
                clearNulls(first, count, out, outAt);
            }
            default -> throw new IllegalStateException("a block of byte strings read as longs");
        }
    }

    private void clearNulls(int first, int count, long[] out, int outAt) {
        if (nullCount > 0) {
            for (int i = 0; i < count; i++) {
                int row = first + i;
                out[outAt + i] = (words[row >> 6] >>> row & 1) != 0 ? out[outAt + i] : 0;
            }
        }
    }

    /** Whether the block holds packed values: codes, or distances from a base. */
    public boolean isPacked() {
        return encoding == SegmentFormat.BLOCK_CODES || encoding == SegmentFormat.BLOCK_PACKED;
    }

    /**
     * Makes all packed values of the block available, if it {@link #isPacked}. Codes are checked to
     * be entries when the block is opened for the first time in the life of its reader.
     */
    public void packed(PackedBlock out) {
        if (unchecked) {
            codes(0, rows, ints, 0);
            unchecked = false;
        }
        int from = window(0, rows, bits);
        out.set(bytes, from, rows, bits, hasCodes() ? 0 : base);
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
        int from = window(first, count, bits);
        BitPacking.unpack(bytes, from, first & 7, count, bits, summand, out, outAt);
    }

    /** Decodes codes, each checked to be an entry; NULLs have code 0. */
    public void codes(int first, int count, int[] out, int outAt) {
        int from = window(first, count, bits);
        BitPacking.unpack(bytes, from, first & 7, count, bits, out, outAt);
        int size = dictionaryEntries();
        if (size < 1 << bits) {
            int highest = Math.max(0, IntRange.high(IntRange.of(out, outAt, count)));
            if (highest >= Math.max(1, size) || size == 0 && nullCount < rows) {
                throw PenstockException.corrupt(
                        where() + " has the code " + highest + " of " + size + " entries");
            }
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

    /** Decodes byte strings, which are appended at {@code outRow}; NULLs are empty. */
    public void strings(int first, int count, BytesColumn out, int outRow) {
        out.ensureRows(outRow + count);
        if (encoding == SegmentFormat.BLOCK_CODES) {
            lookUp(first, count, out, outRow);
            return;
        }
        if (encoding == SegmentFormat.BLOCK_TOKENS) {
            tokens(first, count, tokenScratch, 0);
            presentTokens().decode(tokenScratch, count, out, outRow);
            return;
        }
        int start = dataAt + (int) totalLength(first);
        int[] offsets = out.offsets();
        int position = offsets[outRow];
        lengths(first, count, offsets, outRow + 1);
        for (int row = outRow + 1; row <= outRow + count; row++) {
            position += offsets[row];
            offsets[row] = position;
        }
        int length = position - offsets[outRow];
        out.ensureBytes((long) position + 64);
        if (windowed) {
            MemorySegment.copy(
                    openReader().bytes(),
                    ValueLayout.JAVA_BYTE,
                    blockOffset + start - at,
                    out.data(),
                    offsets[outRow],
                    length);
        } else if (encoding == SegmentFormat.BLOCK_BYTES_PLAIN) {
            System.arraycopy(bytes, start, out.data(), offsets[outRow], length);
        } else if (length == dataLength && !decompressed) {
            decompress(out.data(), offsets[outRow]);
        } else {
            decompressAll();
            System.arraycopy(unpacked, start - dataAt, out.data(), offsets[outRow], length);
        }
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
        out.ensureRows(outRow + count);
        int start = (int) totalLength(first);
        int[] ends = out.offsets();
        int outAt = ends[outRow];
        lengths(first, count, ends, outRow + 1);
        int position = outAt;
        for (int row = outRow + 1; row <= outRow + count; row++) {
            position += ends[row];
            ends[row] = position;
        }
        int codes = position - outAt;
        out.ensureCodes(position);
        int at = codeWindow(start, codes);
        byte[] from = windowed ? unpacked : bytes;
        BitPacking.unpack(from, at, start & 7, codes, codeBits, out.codes(), outAt);
        int size = presentTokens().codeCount();
        if (size < 1 << codeBits) {
            checkTokens(out.codes(), outAt, position, size);
        }
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
        MemorySegment.copy(openReader().bytes(), ValueLayout.JAVA_BYTE, from, unpacked, 0, length);
        return 0;
    }

    private void checkTokens(int[] codes, int from, int to, int size) {
        int highest = 0;
        for (int i = from; i < to; i++) {
            highest = Math.max(highest, codes[i]);
        }
        if (highest >= size) {
            throw PenstockException.corrupt(where() + " has the token " + highest + " of " + size);
        }
    }

    private void lookUp(int first, int count, BytesColumn out, int outRow) {
        codes(first, count, ints, 0);
        BytesDictionary entries = (BytesDictionary) presentDictionary();
        int[] offsets = out.offsets();
        int[] from = entries.offsets();
        long total = offsets[outRow];
        if (nullCount == 0) {
            for (int i = 0; i < count; i++) {
                total += from[ints[i] + 1] - from[ints[i]];
            }
            out.ensureBytes(total + 64);
            ByteStrings.gather(from, entries.data(), ints, 0, count, offsets, out.data(), outRow);
            return;
        }
        for (int i = 0; i < count; i++) {
            int row = first + i;
            int code = ints[i];
            boolean valid = (words[row >> 6] >>> row & 1) != 0;
            int length = valid ? from[code + 1] - from[code] : 0;
            out.ensureBytes(total + length);
            System.arraycopy(
                    entries.data(), valid ? from[code] : 0, out.data(), (int) total, length);
            total += length;
            offsets[outRow + i + 1] = (int) total;
        }
    }

    /** Lengths of byte strings; NULLs have length 0. */
    private void lengths(int first, int count, int[] out, int outAt) {
        BitPacking.unpack(bytes, packedAt, first, count, bits, out, outAt);
        int shortest = (int) base;
        if (nullCount == 0) {
            if (shortest != 0) {
                for (int i = outAt; i < outAt + count; i++) {
                    out[i] += shortest;
                }
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            int row = first + i;
            boolean valid = (words[row >> 6] >>> row & 1) != 0;
            out[outAt + i] = valid ? out[outAt + i] + shortest : 0;
        }
    }

    private long totalLength(int count) {
        if (count == 0) {
            return 0;
        }
        lengths(0, count, ints, 0);
        long total = 0;
        for (int i = 0; i < count; i++) {
            // A negative int here means an overflow: the sum then cannot match the data length.
            total += ints[i] & 0xFFFFFFFFL;
        }
        return total;
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
            int length = LZ4.decompress(bytes, dataAt, compressedLength, target, to, dataLength);
            if (length != dataLength) {
                throw PenstockException.corrupt(where() + " decompresses to a wrong length");
            }
        } catch (LZ4Exception e) {
            throw new PenstockException(ErrorCategory.CORRUPT, where() + " does not decompress", e);
        }
    }
}
