package dev.penstock.loader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * An input that can be given up while a read waits: Java cannot interrupt a read of standard input,
 * and nobody knows whether the other end of a pipe will ever write again. A daemon thread, started
 * by the first read, reads ahead a few blocks; {@link #giveUp} ends all reads, the thread stays
 * behind.
 */
public final class PumpedInput extends InputStream {
    private final Source source;
    private final BytePipe pipe = new BytePipe();
    private boolean started;

    /** What is read; the pump opens and closes it, as either may wait for the other end. */
    private interface Source {
        InputStream open() throws IOException;

        void close(InputStream opened) throws IOException;
    }

    private PumpedInput(Source source) {
        this.source = source;
    }

    /** Of a stream that is left open. */
    public PumpedInput(InputStream stream) {
        this(
                new Source() {
                    @Override
                    public InputStream open() {
                        return stream;
                    }

                    @Override
                    public void close(InputStream opened) {}
                });
    }

    /** Of a named pipe or a device, which is opened by the first read and closed at its end. */
    public static PumpedInput of(Path path) {
        return new PumpedInput(
                new Source() {
                    @Override
                    public InputStream open() throws IOException {
                        return Files.newInputStream(path);
                    }

                    @Override
                    public void close(InputStream opened) throws IOException {
                        opened.close();
                    }
                });
    }

    /** Gives up. */
    @Override
    public void close() {
        giveUp();
    }

    /** Makes every read, waiting or to come, fail. */
    public void giveUp() {
        pipe.giveUp();
    }

    @Override
    public int read() throws IOException {
        start();
        return pipe.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        start();
        return pipe.read(target, offset, length);
    }

    private synchronized void start() {
        if (!started) {
            started = true;
            Thread pump = new Thread(this::pump, "input-pump");
            pump.setDaemon(true);
            pump.start();
        }
    }

    private void pump(InputStream opened) throws IOException {
        byte[] buffer = new byte[BytePipe.BLOCK_BYTES];
        int count = opened.read(buffer);
        while (count >= 0 && pipe.put(Arrays.copyOf(buffer, count))) {
            count = opened.read(buffer);
        }
    }

    private void pump() {
        try {
            InputStream opened = source.open();
            try {
                pump(opened);
            } finally {
                source.close(opened);
            }
            pipe.end(null);
        } catch (IOException e) {
            pipe.end(e);
        } catch (RuntimeException | Error e) {
            // The source may be anybody's; whoever reads must hear that it has failed.
            pipe.end(new IOException("the input failed: " + e, e));
        }
    }
}
