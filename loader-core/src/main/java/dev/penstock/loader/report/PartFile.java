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
    private boolean complete;

    private PartFile(Path target, Path part) throws IOException {
        this.target = target;
        this.part = part;
        channel =
                FileChannel.open(
                        part,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
        out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
    }

    static PartFile of(Path target) throws IOException {
        return new PartFile(target, target.resolveSibling(target.getFileName() + ".part"));
    }

    /** What is no regular file is written as it is. */
    static PartFile direct(Path device) throws IOException {
        return new PartFile(device, device);
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
        channel.close();
        if (!complete && !part.equals(target)) {
            Files.deleteIfExists(part);
        }
    }
}
