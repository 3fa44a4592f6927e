package dev.penstock.sql;

import org.jspecify.annotations.Nullable;

/**
 * One load as {@code penstock_loads} shows it; null is what nobody here knows.
 *
 * @param loadId its name in the store, null until it has begun there
 * @param table loaded into, null if it is gone
 * @param label the user's name for the load, or empty
 * @param state RUNNING, PUBLISHED, FAILED or CANCELLED; UNFINISHED if the load waits to be resumed
 * @param phase of a load of this process: what it is doing, or did last
 * @param inputBytes read so far, as stored
 * @param rows handed over so far, or, once published, added
 * @param rejects records rejected so far
 * @param megabytesPerSecond of the load so far, 10^6 bytes
 * @param startedMillis since 1970
 * @param seconds since the load began, or that it took
 * @param epoch from which it is seen
 */
public record LoadLine(
        @Nullable String loadId,
        @Nullable String table,
        String label,
        String state,
        @Nullable String phase,
        @Nullable Long inputBytes,
        @Nullable Long rows,
        @Nullable Long rejects,
        @Nullable Double megabytesPerSecond,
        @Nullable Long startedMillis,
        @Nullable Double seconds,
        @Nullable Long epoch) {
    /** Whether it came to no good end. */
    boolean broke() {
        return state.equals("FAILED") || state.equals("CANCELLED");
    }

    LoadLine withState(String now) {
        return new LoadLine(
                loadId,
                table,
                label,
                now,
                phase,
                inputBytes,
                rows,
                rejects,
                megabytesPerSecond,
                startedMillis,
                seconds,
                epoch);
    }
}
