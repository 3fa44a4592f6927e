package dev.penstock.loader.fake;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this process holds at the moment. */
public final class OpenCounts {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private OpenCounts() {}

    /** Open files in a folder; skips the test where nobody can tell. */
    public static long filesIn(Path folder) throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(DESCRIPTORS), "skipped: no list of descriptors");
        Path real = folder.toRealPath();
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return descriptors.filter(descriptor -> isIn(descriptor, real)).count();
        }
    }

    private static boolean isIn(Path descriptor, Path folder) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(folder);
        } catch (IOException e) {
            return false; // The list itself was open while it was read.
        }
    }

    /** Bytes of direct buffers, those that nobody holds any more among them until a collection. */
    public static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
