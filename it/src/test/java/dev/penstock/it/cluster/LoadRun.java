package dev.penstock.it.cluster;

import java.util.concurrent.CompletableFuture;

/** One load that runs somewhere, reading what {@link #input} is given. */
interface LoadRun extends AutoCloseable {
    /**
     * How it ended.
     *
     * @param exitCode of the process
     * @param out its standard output
     * @param err what it said
     */
    record Outcome(int exitCode, String out, String err) {}

    Feed input();

    /** Completes when the process has ended. */
    CompletableFuture<Outcome> outcome();

    /** SIGTERM. */
    void interrupt() throws Exception;

    /** SIGKILL. */
    void kill() throws Exception;

    @Override
    void close();
}
