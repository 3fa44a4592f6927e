package dev.penstock.bench.contender;

import java.nio.file.Path;
import java.util.Optional;

/** Something that loads a file; each run gets an empty folder and leaves durable data in it. */
public interface Contender {
    String name();

    /** What is timed and how the engine is set up, in a line or two. */
    String description();

    /**
     * Of the engine, as it says it itself, without its name.
     *
     * @throws Exception if it says none
     */
    String version() throws Exception;

    Workload workload();

    /** Whether the first run in this JVM must not count. */
    default boolean warmsUp() {
        return false;
    }

    /** One sentence if it cannot run here. */
    default Optional<String> obstacle() {
        return Optional.empty();
    }

    /**
     * Loads the file once. Only the load is timed; starting servers and counting rows is not.
     *
     * @throws Exception if the engine fails, with its words
     */
    Loaded load(Path folder) throws Exception;

    /**
     * What a run did.
     *
     * @param span of the load
     * @param rows counted in the store after the load
     * @param storedBytes of the table with its key
     */
    record Loaded(Stopwatch.Span span, long rows, long storedBytes) {}
}
