package dev.penstock.bench.contender;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory that a database's cache is given. */
final class Memory {
    private static final Path FACTS = Path.of("/proc/meminfo");
    private static final long DEFAULT_MEGABYTES = 1024;
    private static final long MOST_MEGABYTES = 8192;

    private Memory() {}

    /** A quarter of the machine's memory, at most 8 GiB; 1 GiB where the system does not tell. */
    static long quarterInMegabytes() throws IOException {
        if (!Files.isReadable(FACTS)) {
            return DEFAULT_MEGABYTES;
        }
        String digits = Files.readAllLines(FACTS).getFirst().replaceAll("[^0-9]", "");
        return digits.isEmpty()
                ? DEFAULT_MEGABYTES
                : Math.clamp(Long.parseLong(digits) / 1024 / 4, 128, MOST_MEGABYTES);
    }
}
