package dev.penstock.step;

/**
 * The threads that a merge may use for its columns. Steps have none of their own: who runs a merge
 * lends them.
 */
public interface MergeThreads {
    /** The calling thread alone. */
    MergeThreads ONE = Runnable::run;

    /**
     * Runs work that several threads may share: once on the calling thread and, at the same time,
     * once on each other that is free. Returns when all have ended, and throws what the first
     * failure was.
     *
     * @param work takes what nobody has taken yet, until there is no more; from any thread
     */
    void run(Runnable work);
}
