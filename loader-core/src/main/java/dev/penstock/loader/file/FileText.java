package dev.penstock.loader.file;

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

    /** Reads {@code length} bytes by the caller's reader, fewer only at the end of the file. */
    public int read(PositionalReader reader, long position, byte[] target, int offset, int length) {
        return files.read(reader, file, position, target, offset, length);
    }
}
