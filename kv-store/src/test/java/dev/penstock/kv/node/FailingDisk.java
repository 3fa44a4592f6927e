package dev.penstock.kv.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A file system of the kernel's (ext4) whose disk can be made to fail: the disk is a loop device
 * over a sparse file in a memory file system, and fails when that is full. Linux, and root only.
 */
final class FailingDisk implements AutoCloseable {
    private static final long SECONDS = 30;

    private final Path memory;
    private final Path image;
    private final Path mount;

    private FailingDisk(Path folder) {
        memory = folder.resolve("memory");
        image = memory.resolve("image");
        mount = folder.resolve("disk");
    }

    static boolean possible() {
        return System.getProperty("os.name").equals("Linux")
                && System.getProperty("user.name").equals("root")
                && Files.exists(Path.of("/dev/loop-control"))
                && List.of("/usr/sbin/mkfs.ext4", "/usr/sbin/e2fsck").stream()
                        .allMatch(tool -> Files.isExecutable(Path.of(tool)));
    }

    /** Mounted, empty, and in order. Fails if this machine does not allow it. */
    static FailingDisk create(Path folder) throws IOException {
        FailingDisk disk = new FailingDisk(folder);
        Files.createDirectories(disk.memory);
        Files.createDirectories(disk.mount);
        run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk.memory.toString());
        try {
            run("truncate", "-s", "256m", disk.image.toString());
            run("mkfs.ext4", "-q", "-F", "-J", "size=4", disk.image.toString());
            disk.attach();
        } catch (IOException e) {
            run("umount", disk.memory.toString());
            throw e;
        }
        return disk;
    }

    private void attach() throws IOException {
        run("mount", "-o", "loop", image.toString(), mount.toString());
    }

    Path folder() {
        return mount.resolve("store");
    }

    /** From now on what is new on the disk cannot be stored. */
    void fail() throws IOException {
        try (OutputStream filler = Files.newOutputStream(memory.resolve("filler"))) {
            byte[] bytes = new byte[4096];
            while (true) {
                filler.write(bytes);
            }
        } catch (IOException full) {
            // as wanted
        }
    }

    /** The disk works again; what was lost stays lost. */
    void repair() throws IOException {
        Files.deleteIfExists(memory.resolve("filler"));
    }

    /** Forgets what only the page cache has, and checks the file system as a start would. */
    void restart() throws IOException {
        run("umount", mount.toString());
        new ProcessBuilder("e2fsck", "-fy", image.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .onExit()
                .orTimeout(SECONDS, TimeUnit.SECONDS)
                .join();
        attach();
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join().exitValue();
        if (exit != 0) {
            throw new IOException(String.join(" ", command) + ": " + output.strip());
        }
    }

    @Override
    public void close() throws IOException {
        try {
            run("umount", mount.toString());
        } finally {
            run("umount", memory.toString());
        }
    }
}
