package dev.penstock.bench.endtoend;

import java.nio.file.Path;

/** Something that loads the file; each run gets an empty folder and leaves durable data in it. */
interface Contender {
    String name();

    /** What is timed, in one line. */
    String description();

    /** Loads the file once; the time from the call to the return is the result. */
    Loaded load(Path folder) throws Exception;

    /**
     * What a run did.
     *
     * @param rows rows counted in the store after the load
     */
    record Loaded(long rows) {}
}
