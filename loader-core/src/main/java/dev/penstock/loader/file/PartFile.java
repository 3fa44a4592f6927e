package dev.penstock.loader.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that gets its name when it is whole: written as {@code NAME.part}, forced by {@link
 * #settle} and renamed by {@link #complete}. Closing one that is not complete removes it.
 */
public final class PartFile implements AutoCloseable {
    private final Path target;
    private final LocalFile file;
    private final OutputStream out;
    private long position;
    private final boolean shared;
    private boolean settled;
    private boolean complete;

    private PartFile(Path target, LocalFile file, boolean shared) {
        this.target = target;
        this.file = file;
        this.shared = shared;
        out = new BufferedOutputStream(file.stream(), 1 << 16);
    }

    public static PartFile of(Path target, LocalDisk disk) throws IOException {
        return new PartFile(target, disk.create(part(target)), false);
    }

    /** The name of a file that is not whole. */
    public static Path part(Path target) {
        return target.resolveSibling(target.getFileName() + ".part");
    }

    /** What is no regular file is written as it is. */
    public static PartFile direct(LocalFile device) {
        return new PartFile(device.path(), device, false);
    }

    /** The same for one that others write to later; it stays open. */
    public static PartFile shared(LocalFile device) {
        return new PartFile(device.path(), device, true);
    }

    /** What it is called when it is whole. */
    public Path target() {
        return target;
    }

    private boolean isPart() {
        return !file.path().equals(target);
    }

    /** Bytes written so far. */
    public long position() {
        return position;
    }

    public void write(byte[] bytes) throws IOException {
        out.write(bytes);
        position += bytes.length;
    }

    /** Where to write all of it instead of {@link #write}, which counts. */
    public OutputStream stream() {
        return out;
    }

    /** Everything written is on disk; from now on nothing more needs room. */
    public void settle() throws IOException {
        if (settled) {
            return;
        }
        out.flush();
        if (isPart()) {
            file.force();
            file.close();
        }
        settled = true;
    }

    /** Everything written is on disk, under the name. */
    public void complete() throws IOException {
        settle();
        rename();
    }

    /** Everything is written and has the name, and a power cut may take it back. */
    public void completeUnforced() throws IOException {
        out.flush();
        file.close();
        rename();
    }

    private void rename() throws IOException {
        if (isPart()) {
            Files.move(file.path(), target, StandardCopyOption.REPLACE_EXISTING);
        }
        complete = true;
    }

    @Override
    public void close() throws IOException {
        if (!shared) {
            file.close();
        }
        if (!complete && isPart()) {
            Files.deleteIfExists(file.path());
        }
    }
}
