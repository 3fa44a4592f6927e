package dev.penstock.kv.net;

import io.netty.channel.DefaultFileRegion;

/**
 * Bytes of a file that the kernel sends without a copy in this process. The file is not closed with
 * it.
 */
final class FileSlice extends DefaultFileRegion {
    FileSlice(OutboundFrame.FileText text) {
        super(text.file(), text.position(), text.length());
    }

    @Override
    protected void deallocate() {
        // The file is its owner's.
    }
}
