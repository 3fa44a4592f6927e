package dev.penstock.kv.node;

import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a data folder for one process. The lock goes with the process, however it ends; the file's
 * text only says who holds it.
 */
final class FolderLock implements AutoCloseable {
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private static final int MAX_COMMAND = 200;

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock, or fails with {@code CONFLICT} naming the holder. */
    static FolderLock take(Path folder) {
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
            if (tryLock(channel) == null) {
                throw PenstockException.conflict(
                        "the store in "
                                + folder.toAbsolutePath()
                                + " is in use by "
                                + Files.readString(file).strip()
                                + "; stop that process, or connect to it if it serves");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(holder().getBytes(StandardCharsets.UTF_8)), 0);
            return new FolderLock(channel);
        } catch (IOException e) {
            close(channel);
            throw PenstockException.io("cannot lock " + file + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String holder() {
        ProcessHandle self = ProcessHandle.current();
        String command = self.info().commandLine().orElse("unknown command");
        String shown =
                command.length() > MAX_COMMAND
                        ? command.substring(0, MAX_COMMAND) + "..."
                        : command;
        return "process " + self.pid() + " on " + host() + " (" + shown + ")\n";
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
        close(channel);
    }
}
