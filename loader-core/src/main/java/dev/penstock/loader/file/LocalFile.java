package dev.penstock.loader.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A file of the loader's own that is being written from its beginning to its end. */
public interface LocalFile extends AutoCloseable {
    /** Its name, for messages. */
    Path path();

    /** Appends all of these bytes. */
    void write(byte[] bytes, int offset, int count) throws IOException;

    /** Fills the target with bytes that were written from a position on. */
    void read(ByteBuffer target, long position) throws IOException;

    /** What was written survives on return. */
    void force() throws IOException;

    @Override
    void close() throws IOException;

    /** Writes to this file, which it does not close. */
    default OutputStream stream() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int count) throws IOException {
                LocalFile.this.write(bytes, offset, count);
            }
        };
    }
}
