package dev.penstock.kv.node;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.FileFault;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Keeps a data folder for one process. The lock goes with the process, however it ends; the file's
 * text only says who holds it.
 *
 * <p>The kernel takes a lock away from a process as soon as it closes the file, whichever time it
 * has opened it. So a process that holds a folder does not touch its file again.
 */
final class FolderLock implements AutoCloseable {
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private static final int MAX_COMMAND = 200;

    /** What this process holds, as far as this class was loaded once. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    /** Never closed, since this process holds their files by another class of this name. */
    private static final List<FileChannel> OPEN_FOR_GOOD = new CopyOnWriteArrayList<>();

    private final Path folder;
    private final FileChannel channel;

    private FolderLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** Takes the lock, or fails with {@code CONFLICT} naming the holder. */
    static FolderLock take(Path folder) {
        Path real;
        try {
            real = folder.toRealPath();
        } catch (IOException e) {
            throw PenstockException.io("cannot open " + folder + ": " + FileFault.reason(e), e);
        }
        if (!HELD.add(real)) {
            throw inUse(folder, holder().strip() + ", which is this process; close it there first");
        }
        try {
            return new FolderLock(real, locked(folder));
        } catch (RuntimeException e) {
            HELD.remove(real);
            throw e;
        }
    }

    private static FileChannel locked(Path folder) {
        Path file = folder.resolve("lock");
        FileChannel channel;
        try {
            channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw PenstockException.io("cannot open " + file + ": " + FileFault.reason(e), e);
        }
        try {
            if (channel.tryLock() == null) {
                throw inUse(
                        folder,
                        Files.readString(file).strip()
                                + "; stop that process, or connect to it if it serves");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(holder().getBytes(StandardCharsets.UTF_8)), 0);
            return channel;
        } catch (OverlappingFileLockException e) {
            OPEN_FOR_GOOD.add(channel);
            throw inUse(folder, holder().strip() + ", which is another part of this process");
        } catch (IOException e) {
            close(channel);
            throw PenstockException.io("cannot lock " + file + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    private static PenstockException inUse(Path folder, String by) {
        return PenstockException.conflict(
                "the store in " + folder.toAbsolutePath() + " is in use by " + by);
    }

    private static String holder() {
        ProcessHandle self = ProcessHandle.current();
        String command = command(self);
        String shown =
                command.length() > MAX_COMMAND
                        ? command.substring(0, MAX_COMMAND) + "..."
                        : command;
        return "process " + self.pid() + " on " + host() + " (" + shown + ")\n";
    }

    /** What was started and what it was told, where Java says so, without Java's own options. */
    private static String command(ProcessHandle self) {
        String started = System.getProperty("sun.java.command");
        return started != null && !started.isBlank()
                ? started
                : self.info().commandLine().orElse("unknown command");
    }

    /**
     * By the kernel where it says so: a name service may take its time to answer, or not answer.
     */
    private static String host() {
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException e) {
            return hostByNameService();
        }
    }

    private static String hostByNameService() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "an unnamed host";
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw PenstockException.io("cannot unlock the data folder: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            close(channel);
        } finally {
            HELD.remove(folder);
        }
    }
}
