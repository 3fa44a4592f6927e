package dev.penstock.kv.storage;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReference;

/** Whether a force has failed, after which nothing is written any more. Thread-safe. */
final class DiskState {
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

    void force(Path file, FileChannel channel) {
        try {
            forceOpen(file, channel);
        } catch (ClosedChannelException e) {
            throw failed("force", file, e);
        }
    }

    /**
     * The same.
     *
     * @throws ClosedChannelException if the channel is closed: its owner did that, or an interrupt
     *     of a thread, not the disk
     */
    void forceOpen(Path file, FileChannel channel) throws ClosedChannelException {
        try {
            // file length included; times are of no interest
            channel.force(false);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            throw failedForGood(file, e);
        }
    }

    /**
     * Forces a folder in which a name was changed: even if the thread is interrupted, and if it
     * cannot be done for whatever reason nothing is written any more.
     */
    void forceChanged(Path folder, FileChannel channel) {
        try {
            channel.force(false);
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            try (FileChannel again = FileChannel.open(folder, StandardOpenOption.READ)) {
                again.force(false);
            } catch (IOException second) {
                throw failedForGood(folder, second);
            } finally {
                Thread.currentThread().interrupt();
            }
        } catch (IOException e) {
            throw failedForGood(folder, e);
        }
    }

    private PenstockException failedForGood(Path file, IOException cause) {
        String message = "cannot force " + file + " to disk: " + cause.getMessage();
        failure.compareAndSet(null, message);
        return PenstockException.io(message, cause);
    }

    void checkHealthy() {
        String message = failure.get();
        if (message != null) {
            throw new PenstockException(
                    ErrorCategory.IO,
                    "nothing is written any more since an earlier failure ("
                            + message
                            + "); free space or replace the disk, then start again");
        }
    }

    static PenstockException failed(String verb, Path file, IOException cause) {
        String reason =
                switch (cause) {
                    case NoSuchFileException _ -> "it does not exist";
                    case ClosedChannelException _ -> "it was closed meanwhile";
                    default -> FileFault.reason(cause);
                };
        return PenstockException.io("cannot " + verb + " " + file + ": " + reason, cause);
    }
}
