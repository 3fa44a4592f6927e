package dev.penstock.step;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

/**
 * Records of one chunk and one region as text: the payload of {@link FragmentForm#RAW}, unless that
 * is a whole {@link ChunkText}.
 *
 * <pre>
 *   int   magic "PRAW"
 *   int   source index
 *   int   chunk id
 *   int   record count
 *   int   text length
 *   per record: ordinal in the chunk, byte position in the source, length, where
 *         varint   ordinal - ordinal before - 1
 *         varint   position - end of the record before
 *         varint   length, LF included
 *   text: the records one after the other, each ended by LF
 * </pre>
 *
 * <p>varint: seven bits a byte, low ones first, the high bit says that more follow. Reading checks
 * every count and length against the bytes there are.
 */
public final class RawFragment {
    private static final int MAGIC = 0x57415250;

    /** A record takes three varints of at least a byte each and its LF. */
    private static final int MIN_RECORD_BYTES = 4;

    private static final String WHAT = "a raw fragment";

    private final int sourceIndex;
    private final int chunkId;
    private final int[] ordinals;
    private final long[] positions;
    private final byte[] payload;
    private final int textStart;
    private final int textLength;

    private RawFragment(
            int sourceIndex,
            int chunkId,
            int[] ordinals,
            long[] positions,
            byte[] payload,
            int textStart,
            int textLength) {
        this.sourceIndex = sourceIndex;
        this.chunkId = chunkId;
        this.ordinals = ordinals;
        this.positions = positions;
        this.payload = payload;
        this.textStart = textStart;
        this.textLength = textLength;
    }

    /** Reads a payload; what does not fit is refused as corrupt. */
    public static RawFragment read(byte[] payload, int length) {
        ByteParser parser = new ByteParser(payload, 0, length, WHAT);
        if (parser.getInt() != MAGIC) {
            throw PenstockException.corrupt(WHAT + " does not begin as one");
        }
        int sourceIndex = parser.getInt();
        int chunkId = parser.getInt();
        int count = parser.getCount(MIN_RECORD_BYTES);
        int textLength = parser.getInt();
        int[] ordinals = new int[count];
        long[] positions = new long[count];
        long ordinal = -1;
        long position = 0;
        long total = 0;
        for (int i = 0; i < count; i++) {
            ordinal += 1 + varint(parser);
            position += varint(parser);
            long bytes = varint(parser);
            if (ordinal < 0
                    || ordinal > Integer.MAX_VALUE
                    || position < 0
                    || bytes > textLength - total) {
                throw PenstockException.corrupt(WHAT + " has an impossible record " + i);
            }
            ordinals[i] = (int) ordinal;
            positions[i] = position;
            position += bytes;
            total += bytes;
        }
        if (total != textLength) {
            throw PenstockException.corrupt(WHAT + " has text that is no record's");
        }
        int textStart = parser.skip(textLength);
        parser.expectEnd();
        return new RawFragment(
                sourceIndex, chunkId, ordinals, positions, payload, textStart, textLength);
    }

    private static long varint(ByteParser parser) {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int b = parser.getByte();
            value |= (long) (b & 0x7F) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw PenstockException.corrupt(WHAT + " has a number of more than 63 bits");
    }

    public int sourceIndex() {
        return sourceIndex;
    }

    public int chunkId() {
        return chunkId;
    }

    public int recordCount() {
        return ordinals.length;
    }

    /** Number of the record in its chunk. */
    public int ordinal(int record) {
        return ordinals[record];
    }

    /** Byte position of the record in its source. */
    public long position(int record) {
        return positions[record];
    }

    public int textLength() {
        return textLength;
    }

    /** Copies the text to the begin of {@code target}. */
    public void copyText(byte[] target) {
        System.arraycopy(payload, textStart, target, 0, textLength);
    }

    /** Collects records for one region. Reused from chunk to chunk. */
    static final class Builder {
        private final ByteBuilder text = new ByteBuilder(1 << 12);
        private final ByteBuilder records = new ByteBuilder(1 << 8);
        private int count;
        private long ordinal = -1;
        private long position;

        int count() {
            return count;
        }

        /** Adds {@code source[from, to)}, a record without its line end. */
        void add(int recordOrdinal, long recordPosition, byte[] source, int from, int to) {
            int length = to - from + 1;
            putVarint(recordOrdinal - ordinal - 1);
            putVarint(recordPosition - position);
            putVarint(length);
            ordinal = recordOrdinal;
            position = recordPosition + length;
            text.write(source, from, to - from);
            text.putByte('\n');
            count++;
        }

        private void putVarint(long value) {
            long rest = value;
            while (rest >= 0x80) {
                records.putByte((int) rest | 0x80);
                rest >>>= 7;
            }
            records.putByte((int) rest);
        }

        /** Appends the payload to {@code out}. */
        void write(int sourceIndex, int chunkId, ByteBuilder out) {
            out.putInt(MAGIC).putInt(sourceIndex).putInt(chunkId);
            out.putInt(count).putInt(text.length());
            out.write(records.array(), 0, records.length());
            out.write(text.array(), 0, text.length());
        }

        /** Bytes of what was added. */
        long bytes() {
            return (long) text.length() + records.length();
        }

        /** Bytes of the arrays that hold it. */
        long roomBytes() {
            return (long) text.array().length + records.array().length;
        }

        void clear() {
            text.clear();
            records.clear();
            count = 0;
            ordinal = -1;
            position = 0;
        }
    }
}
