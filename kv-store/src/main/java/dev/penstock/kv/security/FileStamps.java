package dev.penstock.kv.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether files have changed since they were last read; asked often, looked at once a second. Not
 * thread-safe.
 */
public final class FileStamps {
    private static final long PERIOD_NANOS = 1_000_000_000L;

    private final List<Path> files;
    private List<String> known;
    private long nextNanos;

    public FileStamps(List<Path> files) {
        this.files = List.copyOf(files);
        this.known = stamps();
        this.nextNanos = System.nanoTime() + PERIOD_NANOS;
    }

    /** What was found could not be used: the next look says again that it has changed. */
    public void lookAgain() {
        known = List.of();
    }

    /** True once for each change. */
    public boolean changed() {
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
