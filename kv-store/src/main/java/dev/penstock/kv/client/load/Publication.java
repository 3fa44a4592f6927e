package dev.penstock.kv.client.load;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.MetadataService;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The end of a load. A leader that did not answer may have published it. It is asked again:
 * publishing twice has the same result, and a leader that has started anew knows what was published
 * before.
 */
final class Publication {
    /** How long a server that does not answer is asked again. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Publication() {}

    /**
     * Publishes until it is known whether that has happened.
     *
     * @param rows of each region
     * @return the epoch
     */
    static long run(MetadataService metadata, String loadId, Map<Long, Long> rows, String report) {
        long firstFailure = 0;
        long pause = FIRST_PAUSE_NANOS;
        for (int attempt = 1; ; attempt++) {
            try {
                return metadata.publish(loadId, rows, report);
            } catch (PenstockException e) {
                if (!mayPass(e)) {
                    throw e;
                }
                // From now on: the call itself may have waited for minutes, at a leader that lives.
                firstFailure = attempt == 1 ? System.nanoTime() : firstFailure;
                boolean over = System.nanoTime() - firstFailure > PATIENCE_NANOS;
                if (over || Thread.currentThread().isInterrupted()) {
                    throw new PenstockException(
                            ErrorCategory.RETRY,
                            "the leader does not answer whether load "
                                    + loadId
                                    + " was published ("
                                    + e.getMessage()
                                    + ")",
                            e);
                }
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        }
    }

    /** A server that starts again may find another at its address for a while. */
    static boolean mayPass(PenstockException e) {
        return e.category() == ErrorCategory.RETRY || e.category() == ErrorCategory.REROUTE;
    }
}
