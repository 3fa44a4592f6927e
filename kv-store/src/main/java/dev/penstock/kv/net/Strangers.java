package dev.penstock.kv.net;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who has connected and not said yet who he is: a bounded number, of which one address may have a
 * part only, so that it cannot keep everybody else out. Thread-safe.
 */
final class Strangers {
    /** One address may have one in so many of the places for strangers. */
    private static final int ADDRESS_PART = 2;

    private final int most;
    private final int mostOfOrigin;
    private final Map<Object, Integer> byOrigin = new HashMap<>();
    private int count;

    Strangers(int most) {
        this.most = most;
        this.mostOfOrigin = Math.max(1, most / ADDRESS_PART);
    }

    /** Lets one in, who has to {@link #leave}; or says why not. */
    synchronized Optional<String> enter(Object origin) {
        if (count >= most) {
            return Optional.of(count + " others have not said hello yet");
        }
        int same = byOrigin.getOrDefault(origin, 0);
        if (same >= mostOfOrigin) {
            return Optional.of(same + " others from there have not said hello yet");
        }
        count++;
        byOrigin.put(origin, same + 1);
        return Optional.empty();
    }

    synchronized void leave(Object origin) {
        count--;
        byOrigin.computeIfPresent(origin, (_, same) -> same == 1 ? null : same - 1);
    }
}
