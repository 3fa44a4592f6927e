package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What is made of files, and made anew within a second of their change; asked often, looked at once
 * a second. While they cannot be used what was made before stays, which the log says once, and each
 * look reads them again: who mends a file's mode changes neither its time nor its length.
 * Thread-safe.
 */
public final class WatchedFiles<T> {
    private static final long PERIOD_NANOS = 1_000_000_000L;

    private final List<Path> files;
    private final Supplier<T> read;
    private final Consumer<String> log;
    private final String anew;
    private final String asBefore;

    // Guarded by this
    private List<String> known;
    private long nextNanos;
    private T made;
    private String lastFailure = "";

    /**
     * Reads the files.
     *
     * @param read makes something of the files, or throws a {@link PenstockException}
     * @param anew what the log says when that was done again
     * @param asBefore what it says, and then why, when it could not be done again
     */
    public WatchedFiles(
            List<Path> files,
            Supplier<T> read,
            String anew,
            String asBefore,
            Consumer<String> log) {
        this.files = List.copyOf(files);
        this.read = read;
        this.anew = anew;
        this.asBefore = asBefore;
        this.log = log;
        this.known = stamps();
        this.nextNanos = System.nanoTime() + PERIOD_NANOS;
        this.made = read.get();
    }

    /** What was made of the files as they are now, or as they were when they could be used. */
    public synchronized T current() {
        if (changed()) {
            try {
                made = read.get();
                lastFailure = "";
                log.accept(anew);
            } catch (PenstockException e) {
                known = List.of();
                failed(asBefore + ": " + e.getMessage());
            }
        }
        return made;
    }

    private void failed(String failure) {
        if (!failure.equals(lastFailure)) {
            log.accept(failure);
            lastFailure = failure;
        }
    }

    private boolean changed() {
        long now = System.nanoTime();
        if (now - nextNanos < 0) {
            return false;
        }
        nextNanos = now + PERIOD_NANOS;
        List<String> found = stamps();
        boolean changed = !found.equals(known);
        known = found;
        return changed;
    }

    private List<String> stamps() {
        List<String> stamps = new ArrayList<>();
        for (Path file : files) {
            stamps.add(stamp(file));
        }
        return stamps;
    }

    private static String stamp(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return found.lastModifiedTime() + " " + found.size() + " " + found.fileKey();
        } catch (IOException e) {
            return "none";
        }
    }
}
