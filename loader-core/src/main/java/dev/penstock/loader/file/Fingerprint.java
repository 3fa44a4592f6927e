package dev.penstock.loader.file;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** Tells whether a file is still the one that was planned with, without reading all of it. */
public final class Fingerprint {
    private static final int EDGE_BYTES = 64 << 10;

    private Fingerprint() {}

    /** CRC32C of the first and of the last 64 KiB, hexadecimal; empty for a pipe. */
    public static String ofEdges(Inputs inputs, InputFile file) {
        if (!file.reopenable()) {
            return "";
        }
        byte[] edge = new byte[EDGE_BYTES];
        PositionalReader reader = new PositionalReader();
        long last = Math.max(0, file.bytes() - EDGE_BYTES);
        HexFormat hex = HexFormat.of();
        StringBuilder text = new StringBuilder();
        for (long position : new long[] {0, last}) {
            int length =
                    reader.read(
                            inputs.channel(file.index()),
                            file.name(),
                            position,
                            edge,
                            0,
                            EDGE_BYTES);
            CRC32C crc = new CRC32C();
            crc.update(Arrays.copyOf(edge, length));
            text.append(hex.toHexDigits((int) crc.getValue()));
        }
        return text.toString();
    }
}
