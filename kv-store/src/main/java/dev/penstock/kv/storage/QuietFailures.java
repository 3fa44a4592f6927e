package dev.penstock.kv.storage;

import dev.penstock.error.MemoryUsedUp;
import dev.penstock.error.PenstockException;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What failed at files without taking anything from anybody: a log that goes on although it should
 * have been written anew, a file that nobody needs and that could not be deleted. Nobody waits for
 * these, so they are kept here for whoever runs the server; of many files, the first. Thread-safe.
 */
public final class QuietFailures {
    private static final int MAX_FILES = 64;

    /** What was to be done with a file. */
    public enum Upkeep {
        SHORTEN("shorten"),
        FORGET_REJECTS("forget rejected records in"),
        DELETE("delete");

        private final String verb;

        Upkeep(String verb) {
            this.verb = verb;
        }

        private String failed(Path file) {
            return "could not " + verb + " " + file;
        }
    }

    // Guarded by this; apart, as many files that cannot be deleted must not hide a log.
    private final Map<Upkeep, Map<Path, PenstockException>> failures = new EnumMap<>(Upkeep.class);

    /** Does it, or keeps what it failed with until it has worked. */
    public void attempt(Upkeep upkeep, Path file, Runnable action) {
        try {
            action.run();
            remove(upkeep, file);
        } catch (PenstockException e) {
            add(upkeep, file, e);
        } catch (OutOfMemoryError e) {
            add(upkeep, file, MemoryUsedUp.failure(e));
        }
    }

    private synchronized void add(Upkeep upkeep, Path file, PenstockException failure) {
        Map<Path, PenstockException> files = files(upkeep);
        if (files.size() < MAX_FILES || files.containsKey(file)) {
            files.put(file, failure);
        }
    }

    private synchronized void remove(Upkeep upkeep, Path file) {
        files(upkeep).remove(file);
    }

    private Map<Path, PenstockException> files(Upkeep upkeep) {
        return failures.computeIfAbsent(upkeep, each -> new LinkedHashMap<>());
    }

    /** A folder is gone, with all files in it. */
    synchronized void removeAllIn(Path folder) {
        failures.values()
                .forEach(files -> files.keySet().removeIf(file -> file.startsWith(folder)));
    }

    /** By what could not be done; of each kind in the order in which files failed first. */
    public synchronized Map<String, PenstockException> all() {
        Map<String, PenstockException> all = new LinkedHashMap<>();
        failures.forEach((upkeep, files) ->
                files.forEach((file, failure) -> all.put(upkeep.failed(file), failure)));
        return all;
    }
}
