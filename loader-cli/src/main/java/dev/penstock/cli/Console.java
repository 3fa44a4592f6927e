package dev.penstock.cli;

import dev.penstock.bytes.Printable;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.LocalDisk;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Where a command reads and writes: data on {@link #out}, talk on {@link #err}. Output is UTF-8
 * whatever the locale. Unlike {@code System.out}, {@code out} reports a reader that has gone away.
 *
 * @param out data; buffered, flushed when the command ends
 * @param err messages and progress
 * @param in standard input
 * @param interactive whether a person watches, so that a line may be rewritten in place
 * @param disk room for files that the command writes, but for those of a store
 */
public record Console(
        OutputStream out, PrintStream err, InputStream in, boolean interactive, LocalDisk disk) {
    private static final int BUFFER_BYTES = 1 << 16;

    /** With the disks of this computer. */
    public Console(OutputStream out, PrintStream err, InputStream in, boolean interactive) {
        this(out, err, in, interactive, LocalDisk.SYSTEM);
    }

    /** The process's own streams. */
    public static Console ofProcess() {
        OutputStream out =
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES);
        return new Console(out, System.err, System.in, isTerminal());
    }

    private static boolean isTerminal() {
        String terminal = System.getenv("TERM");
        if (terminal == null || terminal.equals("dumb")) {
            return false;
        }
        return Optional.ofNullable(System.console()).map(java.io.Console::isTerminal).orElse(false);
    }

    /** Writes one line, or some; {@link Printable}, as a report may quote what was loaded. */
    public void print(String line) {
        byte[] bytes = (Printable.lines(line) + "\n").getBytes(StandardCharsets.UTF_8);
        write(bytes, bytes.length);
    }

    /** Writes the first bytes of an array as they are. */
    void write(byte[] bytes, int count) {
        try {
            out.write(bytes, 0, count);
        } catch (IOException e) {
            throw failedToWrite(e);
        }
    }

    /** Writes one line for people, or some; {@link Printable}, as a message may quote anything. */
    public void say(String line) {
        err.println(Printable.lines(line));
    }

    /** A failure as Java prints it, without the last line end. */
    static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        return trace.toString().stripTrailing();
    }

    void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw failedToWrite(e);
        }
        err.flush();
    }

    /**
     * The exception for a failed write to {@link #out}: {@link OutputClosed} if the reader has gone
     * away, as {@code head} does when it has seen enough.
     */
    public static RuntimeException failedToWrite(IOException cause) {
        String message = cause.getMessage();
        if (message != null && (message.contains("Broken pipe") || message.contains("closed"))) {
            return new OutputClosed(cause);
        }
        return PenstockException.io("Standard output cannot be written: " + message + ".", cause);
    }

    /** Nobody reads the output any more; the command ends without a word. */
    public static final class OutputClosed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutputClosed(IOException cause) {
            super(cause);
        }
    }
}
