package dev.penstock.loader.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A file, device or pipe as a channel that begins where it is to be written. */
public record ChannelFile(Path path, FileChannel channel) implements LocalFile {
    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, count);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
        long next = position;
        while (target.hasRemaining()) {
            int count = channel.read(target, next);
            if (count < 0) {
                throw new EOFException("it ends before byte " + (next + target.remaining()));
            }
            next += count;
        }
    }

    @Override
    public void force() throws IOException {
        channel.force(true);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
