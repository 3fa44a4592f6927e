package dev.penstock.kv.ingest;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much memory this process may use: the machine's, or less if one of its control groups has
 * less. Read from the files in which Linux tells; Java's own bean says the same, and takes every
 * command that opens a store a hundredth of a second.
 */
final class MachineMemory {
    private final Path proc;
    private final Path groups;

    /**
     * @param proc where the kernel tells of processes
     * @param groups where it has the control groups
     */
    MachineMemory(Path proc, Path groups) {
        this.proc = proc;
        this.groups = groups;
    }

    /** Of this machine, in bytes. */
    static long bytes() {
        try {
            return new MachineMemory(Path.of("/proc"), Path.of("/sys/fs/cgroup")).read();
        } catch (IOException | NumberFormatException e) {
            return ofBean();
        }
    }

    /** What Java says, on systems that have no such files too. */
    static long ofBean() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean machine
                ? machine.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
    }

    long read() throws IOException {
        return Math.min(installed(), limit());
    }

    private long installed() throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(proc.resolve("meminfo"))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("MemTotal:") && line.endsWith(" kB")) {
                    String number = line.substring("MemTotal:".length(), line.length() - 3);
                    return Math.multiplyExact(Long.parseLong(number.strip()), 1024L);
                }
            }
        } catch (ArithmeticException e) {
            throw new IOException("there is more memory than a number can say", e);
        }
        throw new IOException("the kernel does not say how much memory there is");
    }

    /**
     * The least that the process's groups and those around them may have. Each line names a group:
     * its hierarchy's number, its controllers, its path. Those of the second version have no
     * controllers there.
     */
    private long limit() throws IOException {
        Path file = proc.resolve("self").resolve("cgroup");
        if (!Files.exists(file)) {
            return Long.MAX_VALUE;
        }
        long least = Long.MAX_VALUE;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int number = line.indexOf(':');
                int controllers = line.indexOf(':', number + 1);
                if (controllers < 0) {
                    continue;
                }
                String group = line.substring(controllers + 1);
                if (controllers == number + 1) {
                    least = Math.min(least, limit(groups, group, "memory.max"));
                } else if (hasMemory(line.substring(number + 1, controllers))) {
                    Path hierarchy = groups.resolve("memory");
                    least = Math.min(least, limit(hierarchy, group, "memory.limit_in_bytes"));
                }
            }
        }
        return least;
    }

    private static boolean hasMemory(String controllers) {
        return ("," + controllers + ",").contains(",memory,");
    }

    /**
     * Of a group and all around it. A container sees its own as the outermost, or outside of it.
     */
    private static long limit(Path hierarchy, String group, String name) throws IOException {
        Path folder =
                hierarchy.resolve(group.startsWith("/") ? group.substring(1) : group).normalize();
        Path inner = folder.startsWith(hierarchy) ? folder : hierarchy;
        long least = Long.MAX_VALUE;
        for (Path at = inner; at != null && at.startsWith(hierarchy); at = at.getParent()) {
            Path file = at.resolve(name);
            if (Files.exists(file)) {
                String most = Files.readString(file).strip();
                least = Math.min(least, most.equals("max") ? least : Long.parseLong(most));
            }
        }
        return least;
    }
}
