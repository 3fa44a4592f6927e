package dev.penstock.kv.storage;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Blocks of a file of the machine. */
final class NioBlockFile implements BlockFile {
    private final Path path;
    private final FileChannel channel;

    private NioBlockFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    static NioBlockFile create(Path path) throws IOException {
        FileChannel ordinary =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        Optional<FileChannel> direct = DirectAccess.open(path);
        if (direct.isEmpty()) {
            return new NioBlockFile(path, ordinary);
        }
        ordinary.close();
        return new NioBlockFile(path, direct.get());
    }

    @Override
    public void write(long position, MemorySegment blocks) {
        try {
            DirectAccess.write(channel, blocks.asByteBuffer(), position);
        } catch (IOException e) {
            throw DiskState.failed("write to", path, e);
        }
    }

    @Override
    public void read(long position, MemorySegment target) {
        ByteBuffer bytes = target.asByteBuffer();
        try {
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, position + bytes.position()) < 0) {
                    throw new EOFException("it is shorter than what was written");
                }
            }
        } catch (IOException e) {
            throw DiskState.failed("read", path, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw DiskState.failed("close", path, e);
        }
    }
}
