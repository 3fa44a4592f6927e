package dev.penstock.loader.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that gets its name when it is whole: written as {@code NAME.part}, forced and renamed by
 * {@link #complete}. Closing one that is not complete removes it.
 */
final class PartFile implements AutoCloseable {
    private final Path target;
    private final Path part;
    private final FileChannel channel;
    private final OutputStream out;
    private long position;
    private final boolean shared;
    private boolean complete;

    private PartFile(Path target, Path part, FileChannel channel, boolean shared) {
        this.target = target;
        this.part = part;
        this.channel = channel;
        this.shared = shared;
        out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
    }

    static PartFile of(Path target) throws IOException {
        Path part = part(target);
        FileChannel channel =
                FileChannel.open(
                        part,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
        return new PartFile(target, part, channel, false);
    }

    /** The name of a file that is not whole. */
    static Path part(Path target) {
        return target.resolveSibling(target.getFileName() + ".part");
    }

    /** What is no regular file is written as it is. */
    static PartFile direct(Path device, FileChannel channel) {
        return new PartFile(device, device, channel, false);
    }

    /** The same for a channel that others write to later; it stays open. */
    static PartFile shared(Path device, FileChannel channel) {
        return new PartFile(device, device, channel, true);
    }

    /** Bytes written so far. */
    long position() {
        return position;
    }

    void write(byte[] bytes) throws IOException {
        out.write(bytes);
        position += bytes.length;
    }

    /** Everything written is on disk, under the name. */
    void complete() throws IOException {
        out.flush();
        if (!part.equals(target)) {
            channel.force(true);
            channel.close();
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        }
        complete = true;
    }

    @Override
    public void close() throws IOException {
        if (!shared) {
            channel.close();
        }
        if (!complete && !part.equals(target)) {
            Files.deleteIfExists(part);
        }
    }
}
