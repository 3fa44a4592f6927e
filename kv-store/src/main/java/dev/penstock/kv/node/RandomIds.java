package dev.penstock.kv.node;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Random UUIDs, of version 4, of the kernel's random bytes. Java's own are as random, but look for
 * security providers first, which takes a command 10 to 20 ms.
 */
final class RandomIds {
    private static final Path KERNEL = Path.of("/dev/urandom");

    private static final long VERSION = 0xf000;
    private static final long VERSION_4 = 0x4000;

    private RandomIds() {}

    static UUID next() {
        return next(KERNEL);
    }

    /**
     * @param source of random bytes; Java's own are taken where it cannot be read
     */
    static UUID next(Path source) {
        try (InputStream in = Files.newInputStream(source)) {
            byte[] bytes = in.readNBytes(2 * Long.BYTES);
            if (bytes.length == 2 * Long.BYTES) {
                ByteBuffer random = ByteBuffer.wrap(bytes);
                long high = random.getLong() & ~VERSION | VERSION_4;
                // The two highest bits say that it is one of RFC 9562.
                long low = random.getLong() & Long.MAX_VALUE >> 1 | Long.MIN_VALUE;
                return new UUID(high, low);
            }
        } catch (IOException e) {
            // As below.
        }
        return UUID.randomUUID();
    }
}
