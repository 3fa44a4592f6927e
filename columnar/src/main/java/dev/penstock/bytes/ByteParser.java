package dev.penstock.bytes;

import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads back what {@link ByteBuilder} wrote. Every length is checked against the bytes that remain
 * before anything is allocated; what does not fit is refused as corrupt, naming {@code what}.
 */
public final class ByteParser {
    private final byte[] bytes;
    private final int limit;
    private final String what;
    private int position;

    public ByteParser(byte[] bytes, String what) {
        this(bytes, 0, bytes.length, what);
    }

    public ByteParser(byte[] bytes, int offset, int length, String what) {
        if (offset < 0 || length < 0 || offset > bytes.length - length) {
            throw PenstockException.corrupt(what + " ends before it begins");
        }
        this.bytes = bytes;
        this.position = offset;
        this.limit = offset + length;
        this.what = what;
    }

    public int position() {
        return position;
    }

    /** The bytes that positions are indexes into; to be read only. */
    public byte[] array() {
        return bytes;
    }

    public int remaining() {
        return limit - position;
    }

    /** Advances over {@code count} bytes and returns the position where they start. */
    public int skip(int count) {
        if (count < 0 || count > limit - position) {
            throw PenstockException.corrupt(
                    what
                            + " needs "
                            + Counted.of(count, "byte")
                            + " where "
                            + remaining()
                            + " remain");
        }
        int at = position;
        position += count;
        return at;
    }

    public int getByte() {
        return bytes[skip(1)] & 0xFF;
    }

    public int getShort() {
        return ByteAccess.getShort(bytes, skip(2));
    }

    public int getInt() {
        return ByteAccess.getInt(bytes, skip(4));
    }

    public long getLong() {
        return ByteAccess.getLong(bytes, skip(8));
    }

    /** An element count, each element taking at least {@code minBytesEach} of what remains. */
    public int getCount(int minBytesEach) {
        int count = getInt();
        if (count < 0 || (long) count * minBytesEach > remaining()) {
            throw PenstockException.corrupt(
                    what
                            + " claims "
                            + Counted.of(count, "element")
                            + " where "
                            + Counted.of(remaining(), "byte")
                            + Counted.verb(remaining(), " remains", " remain"));
        }
        return count;
    }

    public long[] getLongs() {
        long[] values = new long[getCount(Long.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = getLong();
        }
        return values;
    }

    public byte[] getBytes() {
        int length = getInt();
        int at = skip(length);
        return Arrays.copyOfRange(bytes, at, at + length);
    }

    public String getString() {
        int length = getInt();
        int at = skip(length);
        return new String(bytes, at, length, StandardCharsets.UTF_8);
    }

    /** Refuses trailing bytes. */
    public void expectEnd() {
        if (position != limit) {
            throw PenstockException.corrupt(
                    what + " has " + Counted.of(remaining(), "byte") + " too many");
        }
    }
}
