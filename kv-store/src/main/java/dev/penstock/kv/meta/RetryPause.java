package dev.penstock.kv.meta;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * When to ask servers again that could not be asked: at the next turn, then after pauses that grow.
 *
 * @param next not before this
 * @param pause the last one
 */
record RetryPause(Instant next, Duration pause) {
    /** About the time from one turn to the next. */
    private static final Duration FIRST = Duration.ofSeconds(3);

    /** What failed may have left regions closed until the next attempt. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /**
     * After a failure.
     *
     * @param before after the failure before, or null if this is the first
     */
    static RetryPause after(@Nullable RetryPause before, Instant now) {
        Duration pause = Duration.ZERO;
        if (before != null) {
            Duration longer = before.pause.multipliedBy(2);
            pause = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
            pause = pause.compareTo(FIRST) < 0 ? FIRST : pause;
        }
        return new RetryPause(now.plus(pause), pause);
    }

    static boolean isOver(@Nullable RetryPause pause, Instant now) {
        return pause == null || !pause.next.isAfter(now);
    }
}
