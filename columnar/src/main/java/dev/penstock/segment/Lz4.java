package dev.penstock.segment;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * LZ4 in a class of its own, which Java initializes with the first block that is compressed: the
 * library then looks for native code, writes it to a file and loads it, and most commands meet no
 * such block.
 */
final class Lz4 {
    static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
    static final LZ4SafeDecompressor DECOMPRESSOR = LZ4Factory.fastestInstance().safeDecompressor();

    private Lz4() {}
}
