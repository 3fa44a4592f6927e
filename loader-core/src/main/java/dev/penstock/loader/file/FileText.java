package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;

import java.io.EOFException;

/** The stored bytes of an input that is a regular file, for any number of threads. */
public final class FileText {
    private final OpenFiles files;
    private final InputFile file;

    FileText(OpenFiles files, InputFile file) {
        this.files = files;
        this.file = file;
    }

    /** For messages. */
    public String name() {
        return file.name();
    }

    /** Lends the file to someone who reads it without this process. */
    public LentFile lend() {
        return files.lend(file);
    }

    /**
     * Reads {@code length} bytes by the caller's reader, fewer only at the end that the file had
     * when it was opened first: what has been added since is not read, and refused at the end by
     * {@link Inputs#checkUnchanged}.
     *
     * @throws PenstockException of category IO if it has become shorter
     */
    public int read(PositionalReader reader, long position, byte[] target, int offset, int length) {
        int wanted = Math.clamp(file.bytes() - position, 0, length);
        int read = files.read(reader, file, position, target, offset, wanted);
        if (read < wanted) {
            throw PenstockException.io(
                    file.name()
                            + " became shorter while it was read: it ends "
                            + (read > 0 ? "at" : "at or before")
                            + " byte "
                            + (position + read)
                            + " and had "
                            + Counted.of(file.bytes(), "byte")
                            + " when it was opened",
                    new EOFException());
        }
        return read;
    }
}
