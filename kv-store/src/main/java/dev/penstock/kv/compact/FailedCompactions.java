package dev.penstock.kv.compact;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Regions that could not be compacted: those that are damaged are left alone, the others are tried
 * again after pauses that grow. The log is told once of each damaged region, and once of each cause
 * until no region is behind any more, because a full disk is met by all of them. Used by one
 * thread.
 */
final class FailedCompactions {
    /** A region that fails again and again is tried after so many rounds: minutes. */
    static final int LONGEST_PAUSE_ROUNDS = 64;

    /** Causes that are remembered as told; a fault that says something new each time has an end. */
    private static final int MAX_TOLD = 100;

    /** Rounds of the last pause, and those that are left of it. */
    private record Pause(int rounds, int left) {}

    private final Consumer<String> log;
    private final Map<Long, Pause> pauses = new HashMap<>();
    private final Set<Long> damaged = new HashSet<>();
    private final Set<String> told = new HashSet<>();

    FailedCompactions(Consumer<String> log) {
        this.log = log;
    }

    /** Forgets regions that are gone. */
    void keepOnly(Set<Long> regionIds) {
        pauses.keySet().retainAll(regionIds);
        damaged.retainAll(regionIds);
        forgetCauses();
    }

    /** Whether a region is not to be tried in this round; asked once in each. */
    boolean passOver(long regionId) {
        Pause pause = pauses.get(regionId);
        if (pause == null || pause.left() == 0) {
            return damaged.contains(regionId);
        }
        pauses.put(regionId, new Pause(pause.rounds(), pause.left() - 1));
        return true;
    }

    void succeeded(long regionId) {
        if (pauses.remove(regionId) != null) {
            forgetCauses();
        }
    }

    void failed(long regionId, PenstockException failure) {
        if (failure.category() == ErrorCategory.CORRUPT) {
            pauses.remove(regionId);
            damaged.add(regionId);
            log.accept(
                    "region "
                            + regionId
                            + " is not compacted any more, until the server starts again: "
                            + failure.getMessage());
            return;
        }
        Pause before = pauses.getOrDefault(regionId, new Pause(0, 0));
        int rounds = Math.clamp(2L * before.rounds(), 1, LONGEST_PAUSE_ROUNDS);
        pauses.put(regionId, new Pause(rounds, rounds));
        if (told.size() < MAX_TOLD && told.add(cause(failure))) {
            log.accept(
                    "region "
                            + regionId
                            + " cannot be compacted now and is tried again later: "
                            + failure.getMessage());
        }
    }

    private void forgetCauses() {
        if (pauses.isEmpty()) {
            told.clear();
        }
    }

    /** What the system says, without the name of the file, which is another each time. */
    private static String cause(PenstockException failure) {
        return switch (failure.getCause()) {
            case FileSystemException known when known.getReason() != null -> known.getReason();
            case IOException known -> String.valueOf(known.getMessage());
            case null, default -> String.valueOf(failure.getMessage());
        };
    }
}
