package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;

import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Tells whether a file is still the one that was planned with, without reading all of it. One is
 * for all files of a load. Owned by one thread.
 */
public final class Fingerprint {
    private static final int EDGE_BYTES = 64 << 10;

    private final Inputs inputs;
    private final PositionalReader reader = new PositionalReader(EDGE_BYTES);
    private final byte[] edge = new byte[EDGE_BYTES];

    public Fingerprint(Inputs inputs) {
        this.inputs = inputs;
    }

    /** CRC32C of the first and of the last 64 KiB, hexadecimal; empty for a pipe. */
    public String ofEdges(InputFile file) {
        if (!file.reopenable()) {
            return "";
        }
        FileText text = inputs.text(file.index());
        long last = Math.max(0, file.bytes() - EDGE_BYTES);
        HexFormat hex = HexFormat.of();
        StringBuilder sums = new StringBuilder();
        for (long position : new long[] {0, last}) {
            int length = text.read(reader, position, edge, 0, EDGE_BYTES);
            CRC32C crc = new CRC32C();
            crc.update(edge, 0, length);
            sums.append(hex.toHexDigits((int) crc.getValue()));
        }
        return sums.toString();
    }
}
