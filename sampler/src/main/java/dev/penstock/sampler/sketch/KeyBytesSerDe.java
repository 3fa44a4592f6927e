package dev.penstock.sampler.sketch;

import org.apache.datasketches.common.ArrayOfItemsSerDe;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** Encoded keys in a sketch's stored form: an int length, little-endian, then the bytes. */
final class KeyBytesSerDe extends ArrayOfItemsSerDe<byte[]> {
    private static final ValueLayout.OfInt LENGTH =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @Override
    public byte[] serializeToByteArray(byte[] item) {
        return serializeToByteArray(new byte[][] {item});
    }

    @Override
    public byte[] serializeToByteArray(byte[][] items) {
        ByteBuffer out = ByteBuffer.allocate(sizeOf(items)).order(ByteOrder.LITTLE_ENDIAN);
        for (byte[] item : items) {
            out.putInt(item.length).put(item);
        }
        return out.array();
    }

    @Override
    public byte[][] deserializeFromMemorySegment(MemorySegment bytes, long offset, int count) {
        byte[][] items = new byte[count][];
        long at = offset;
        for (int i = 0; i < count; i++) {
            int length = bytes.get(LENGTH, at);
            items[i] = bytes.asSlice(at + 4, length).toArray(ValueLayout.JAVA_BYTE);
            at += 4L + length;
        }
        return items;
    }

    @Override
    public int sizeOf(byte[] item) {
        return 4 + item.length;
    }

    @Override
    public int sizeOf(MemorySegment bytes, long offset, int count) {
        long at = offset;
        for (int i = 0; i < count; i++) {
            at += 4L + bytes.get(LENGTH, at);
        }
        return (int) (at - offset);
    }

    @Override
    public String toString(byte[] item) {
        return HexFormat.of().formatHex(item);
    }

    @Override
    public Class<byte[]> getClassOfT() {
        return byte[].class;
    }
}
