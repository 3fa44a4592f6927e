package dev.penstock.loader;

/**
 * Told how a load goes on: at each change of phase and otherwise at most a few times a second, by
 * one thread at a time. Must return quickly; what it throws ends the load.
 */
@FunctionalInterface
public interface ProgressListener {
    /** Does nothing. */
    static ProgressListener none() {
        return progress -> {};
    }

    void progressed(LoadProgress progress);

    /** Something that the user should know before the load goes on, as one sentence. */
    default void noted(String sentence) {}
}
