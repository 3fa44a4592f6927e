package dev.penstock.bytes;

import java.util.Arrays;

/** A growable little-endian byte buffer. Owned by one thread; grows by half, never shrinks. */
public final class ByteBuilder implements ByteSink {
    /** Largest array every JVM grants. */
    public static final int MAX_BYTES = Integer.MAX_VALUE - 64;

    private byte[] bytes;
    private int length;

    public ByteBuilder(int initialBytes) {
        this.bytes = new byte[Math.max(16, initialBytes)];
    }

    /** The backing array; valid until the next append. Only the first {@link #length} count. */
    public byte[] array() {
        return bytes;
    }

    public int length() {
        return length;
    }

    @Override
    public long position() {
        return length;
    }

    public void clear() {
        length = 0;
    }

    /** Makes room for {@code extraBytes} more and returns the position where they start. */
    public int reserve(int extraBytes) {
        long needed = (long) length + extraBytes;
        if (needed > MAX_BYTES) {
            throw new IllegalStateException("a buffer would need " + needed + " bytes");
        }
        if (needed > bytes.length) {
            long grown = Math.min(MAX_BYTES, Math.max(needed, bytes.length + (bytes.length >> 1)));
            bytes = Arrays.copyOf(bytes, (int) grown);
        }
        return length;
    }

    /** Says that bytes written straight into {@link #array} now end at {@code newLength}. */
    public void setLength(int newLength) {
        if (newLength < 0 || newLength > bytes.length) {
            throw new IllegalArgumentException("length " + newLength + " of " + bytes.length);
        }
        length = newLength;
    }

    @Override
    public void write(byte[] source, int offset, int count) {
        int at = reserve(count);
        System.arraycopy(source, offset, bytes, at, count);
        length = at + count;
    }

    public ByteBuilder putByte(int value) {
        int at = reserve(1);
        bytes[at] = (byte) value;
        length = at + 1;
        return this;
    }

    public ByteBuilder putShort(int value) {
        int at = reserve(2);
        ByteAccess.putShort(bytes, at, value);
        length = at + 2;
        return this;
    }

    public ByteBuilder putInt(int value) {
        int at = reserve(4);
        ByteAccess.putInt(bytes, at, value);
        length = at + 4;
        return this;
    }

    public ByteBuilder putLong(long value) {
        int at = reserve(8);
        ByteAccess.putLong(bytes, at, value);
        length = at + 8;
        return this;
    }

    /** Appends longs after their number (int). */
    public ByteBuilder putLongs(long[] values) {
        putInt(values.length);
        for (long value : values) {
            putLong(value);
        }
        return this;
    }

    /** Appends a length-prefixed (int) byte string. */
    public ByteBuilder putBytes(byte[] value) {
        putInt(value.length);
        write(value, 0, value.length);
        return this;
    }

    /** Appends a length-prefixed (int) UTF-8 string. */
    public ByteBuilder putString(String value) {
        return putBytes(value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }
}
