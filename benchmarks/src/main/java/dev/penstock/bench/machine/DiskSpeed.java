package dev.penstock.bench.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * How fast a folder takes and gives one file of {@value #FILE_BYTES} random bytes in order, in
 * megabytes per second; NaN where a file system refuses direct access.
 *
 * @param bufferedWrite through the page cache, with an fsync at the end
 * @param directWrite past the page cache, with an fsync at the end
 * @param directRead past the page cache
 */
public record DiskSpeed(double bufferedWrite, double directWrite, double directRead) {
    static final int FILE_BYTES = 384 << 20;
    private static final int BLOCK_BYTES = 8 << 20;
    private static final int ALIGNMENT = 4096;

    static DiskSpeed measure(Path folder) throws IOException {
        Path file = folder.resolve("disk-speed");
        ByteBuffer block =
                ByteBuffer.allocateDirect(BLOCK_BYTES + ALIGNMENT)
                        .alignedSlice(ALIGNMENT)
                        .limit(BLOCK_BYTES);
        byte[] random = new byte[BLOCK_BYTES];
        new Random(1).nextBytes(random);
        block.put(0, random);
        try {
            return new DiskSpeed(
                    write(file, block, StandardOpenOption.TRUNCATE_EXISTING),
                    ifPossible(() -> write(file, block, direct())),
                    ifPossible(() -> read(file, block)));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private interface Measurement {
        double run() throws IOException;
    }

    /**
     * The option of the module jdk.unsupported, which javac does not let name without a warning.
     */
    private static OpenOption direct() {
        try {
            for (Object option :
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option instanceof OpenOption direct && direct.toString().equals("DIRECT")) {
                    return direct;
                }
            }
        } catch (ClassNotFoundException e) {
            throw new UnsupportedOperationException("this JVM has no direct access", e);
        }
        throw new UnsupportedOperationException("this JVM has no direct access");
    }

    private static double ifPossible(Measurement measurement) {
        try {
            return measurement.run();
        } catch (IOException | UnsupportedOperationException e) {
            return Double.NaN;
        }
    }

    private static double write(Path file, ByteBuffer block, OpenOption how) throws IOException {
        Files.deleteIfExists(file);
        long start = System.nanoTime();
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
            for (int at = 0; at < FILE_BYTES; at += BLOCK_BYTES) {
                ByteBuffer bytes = block.duplicate();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            channel.force(true);
        }
        return speed(start);
    }

    private static double read(Path file, ByteBuffer block) throws IOException {
        long start = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, direct())) {
            for (int at = 0; at < FILE_BYTES; at += BLOCK_BYTES) {
                ByteBuffer bytes = block.duplicate();
                while (bytes.hasRemaining()) {
                    if (channel.read(bytes) < 0) {
                        throw new IOException(file + " is shorter than what was written");
                    }
                }
            }
        }
        return speed(start);
    }

    private static double speed(long startNanos) {
        return FILE_BYTES / 1e6 / ((System.nanoTime() - startNanos) / 1e9);
    }
}
