package dev.penstock.bench.endtoend;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What the figures were measured on.
 *
 * @param cpu model name, or the architecture where the system does not tell
 * @param cores processors the JVM may use
 * @param memoryBytes of the machine, or -1
 * @param system operating system and version
 * @param java version of the JVM
 * @param diskMegabytesPerSecond sequential writes of 8 MiB to the working folder, flushed at the
 *     end
 */
record Machine(
        String cpu,
        int cores,
        long memoryBytes,
        String system,
        String java,
        double diskMegabytesPerSecond) {
    private static final int BLOCK_BYTES = 8 << 20;
    private static final int BLOCKS = 64;

    static Machine measure(Path folder) throws IOException {
        return new Machine(
                lineOf(Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch")),
                Runtime.getRuntime().availableProcessors(),
                readMemoryBytes(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                writeSpeed(folder));
    }

    private static long readMemoryBytes() throws IOException {
        String line = lineOf(Path.of("/proc/meminfo"), "MemTotal", "");
        String digits = line.replaceAll("[^0-9]", "");
        return digits.isEmpty() ? -1 : Long.parseLong(digits) * 1024;
    }

    private static String lineOf(Path file, String name, String otherwise) throws IOException {
        if (!Files.isReadable(file)) {
            return otherwise;
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(otherwise);
        }
    }

    private static double writeSpeed(Path folder) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        new Random(1).nextBytes(block);
        Path file = folder.resolve("write-speed");
        long start = System.nanoTime();
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < BLOCKS; i++) {
                ByteBuffer bytes = ByteBuffer.wrap(block);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            channel.force(true);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        Files.delete(file);
        return (double) BLOCK_BYTES * BLOCKS / 1e6 / seconds;
    }
}
