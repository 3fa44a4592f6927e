package dev.penstock.loader;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * An input that can be given up while a read waits: Java cannot interrupt a read of standard input,
 * and nobody knows whether the other end of a pipe will ever write again. A daemon thread, started
 * by the first read, reads ahead a few blocks; {@link #giveUp} ends all reads, the thread stays
 * behind.
 */
public final class PumpedInput extends InputStream {
    private final InputStream source;
    private final BytePipe pipe = new BytePipe();
    private boolean started;

    /** Of a stream that is left open. */
    public PumpedInput(InputStream source) {
        this.source = source;
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

    private void pump() {
        try {
            byte[] buffer = new byte[BytePipe.BLOCK_BYTES];
            int count = source.read(buffer);
            while (count >= 0 && pipe.put(Arrays.copyOf(buffer, count))) {
                count = source.read(buffer);
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
