package dev.penstock.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What figures were measured on. Speeds are of a few hundred megabytes in megabytes (10^6 bytes)
 * per second; NaN where the system does not allow the measurement.
 *
 * @param cpu model name, or the architecture where the system does not tell
 * @param cores processors the JVM may use
 * @param busyCores how many they are worth when all are busy, see {@link BusyCores}
 * @param memoryBytes of the machine, or -1
 * @param system operating system and version
 * @param java version of the JVM
 * @param disk of the folder in which the contenders store
 * @param copySpeed bytes copied from memory to memory by one thread
 */
public record Machine(
        String cpu,
        int cores,
        double busyCores,
        long memoryBytes,
        String system,
        String java,
        DiskSpeed disk,
        double copySpeed) {
    public static Machine measure(Path folder) throws IOException {
        int cores = Runtime.getRuntime().availableProcessors();
        return new Machine(
                lineOf(Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch")),
                cores,
                BusyCores.measure(cores),
                readMemoryBytes(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                DiskSpeed.measure(folder),
                measureCopySpeed());
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

    /** Between two arrays that no cache holds. */
    private static double measureCopySpeed() {
        int rounds = 6;
        byte[] from = new byte[128 << 20];
        byte[] to = new byte[from.length];
        System.arraycopy(from, 0, to, 0, from.length);
        long start = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
            from[i] = to[i + 1];
            System.arraycopy(from, 0, to, 0, from.length);
        }
        return (double) rounds * from.length / 1e6 / ((System.nanoTime() - start) / 1e9);
    }
}
