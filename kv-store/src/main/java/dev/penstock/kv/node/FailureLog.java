package dev.penstock.kv.node;

import dev.penstock.error.PenstockException;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tells whoever runs the server what keeps failing in the background: each thing when it begins,
 * with the failure, whose message may be another at each attempt, and when it has passed. For one
 * thread at a time.
 */
final class FailureLog {
    private final Consumer<String> log;
    private final Set<String> told = new HashSet<>();

    /** One that has told nothing yet; the log takes lines. */
    FailureLog(Consumer<String> log) {
        this.log = log;
    }

    /**
     * Tells what is new.
     *
     * @param failures all that there are now, by what they mean
     */
    void tell(Map<String, PenstockException> failures) {
        told.removeIf(what -> {
            boolean passed = !failures.containsKey(what);
            if (passed) {
                log.accept("no more: " + what);
            }
            return passed;
        });
        failures.forEach((what, failure) -> {
            if (told.add(what)) {
                log.accept(what + ": " + failure.getMessage());
            }
        });
    }
}
