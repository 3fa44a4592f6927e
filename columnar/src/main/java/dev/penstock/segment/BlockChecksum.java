package dev.penstock.segment;

import dev.penstock.bytes.ByteAccess;

import java.util.zip.CRC32C;

/** CRC32C of blocks, each beginning with the block's place. Owned by one thread. */
final class BlockChecksum {
    private final CRC32C crc = new CRC32C();
    private final byte[] place = new byte[8];

    int of(int column, int block, byte[] bytes, int offset, int length) {
        ByteAccess.putInt(place, 0, column);
        ByteAccess.putInt(place, 4, block);
        crc.reset();
        crc.update(place, 0, 8);
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    int of(byte[] bytes, int offset, int length) {
        crc.reset();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
