package dev.penstock.kv.storage;

import dev.penstock.error.MemoryUsedUp;
import dev.penstock.error.PenstockException;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What failed at files without taking anything from anybody: a log that goes on although it should
 * have been written anew, a file that nobody needs and that could not be deleted. Nobody waits for
 * these, so they are kept here for whoever runs the server; of many files, the first. Thread-safe.
 */
public final class QuietFailures {
    private static final int MAX_FILES = 64;

    // Guarded by this
    private final Map<Path, PenstockException> failures = new LinkedHashMap<>();

    /** The latest failure at a file. */
    public synchronized void add(Path file, PenstockException failure) {
        if (failures.size() < MAX_FILES || failures.containsKey(file)) {
            failures.put(file, failure);
        }
    }

    /** The same, where memory was used up. */
    public void add(Path file, OutOfMemoryError failure) {
        add(file, MemoryUsedUp.failure(failure));
    }

    /** What failed there before has worked now. */
    public synchronized void remove(Path file) {
        failures.remove(file);
    }

    /** By file, in the order in which they failed first. */
    public synchronized Map<Path, PenstockException> all() {
        return new LinkedHashMap<>(failures);
    }
}
