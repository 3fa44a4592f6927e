package dev.penstock.kv.meta;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.TableDescriptor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who works on the running loads, and when they were heard of last. A load that can be resumed has
 * one loader at a time, told from others by a number; what one says after another has taken its
 * place is refused. Forgotten when the leader starts anew: then loaders are taken at their word.
 * Thread-safe.
 */
final class Loaders {
    /**
     * A load whose loader has not been heard of for so long is over: its process is gone, and what
     * it sent would stay in the servers' memory. Loaders report far more often.
     */
    private static final Duration ABANDONED = Duration.ofSeconds(60);

    /** The same for a load whose label is wanted by the next, which most likely takes its place. */
    private static final Duration SUPERSEDED = Duration.ofSeconds(15);

    private final MetadataState state;
    private final InstantSource clock;
    private final Map<String, Instant> heard = new ConcurrentHashMap<>();

    /** Of loads that can be resumed. */
    private final Map<String, Long> loaders = new ConcurrentHashMap<>();

    /** Of loads that wait to be resumed: since when that has been seen. */
    private final Map<String, Instant> waiting = new ConcurrentHashMap<>();

    private volatile Duration longestWait = Duration.ZERO;

    Loaders(MetadataState state, InstantSource clock) {
        this.state = state;
        this.clock = clock;
    }

    /** The loader of a load has just said something. */
    void hear(String loadId) {
        heard.put(loadId, clock.instant());
    }

    /** The same, unless the loader is known to have stopped. */
    void hearAgain(String loadId) {
        heard.computeIfPresent(loadId, (id, before) -> clock.instant());
    }

    private boolean isSilent(String loadId) {
        Instant limit = clock.instant().minus(SUPERSEDED);
        return heard.getOrDefault(loadId, Instant.MIN).isBefore(limit);
    }

    /** Loads that have not been heard of for so long that they are over; others are forgotten. */
    Set<String> abandoned() {
        // Looked at first: a load that begins meanwhile is heard of only after it is running.
        Set<String> over = new HashSet<>(heard.keySet());
        state.runningLoads().forEach(load -> over.remove(load.loadId()));
        heard.keySet().removeAll(over);
        Instant limit = clock.instant().minus(ABANDONED);
        Set<String> abandoned = new HashSet<>();
        heard.forEach((loadId, when) -> {
            if (when.isBefore(limit)) {
                abandoned.add(loadId);
            }
        });
        return abandoned;
    }

    /** How long loads may wait to be resumed; zero: for ever. */
    void endUnfinishedAfter(Duration longest) {
        longestWait = longest;
    }

    /**
     * Loads that have been seen waiting to be resumed for too long. It is counted from the start of
     * the leader on, so that none goes because the leader was down.
     */
    Set<String> expired() {
        Duration longest = longestWait;
        if (!longest.isPositive()) {
            return Set.of();
        }
        Instant now = clock.instant();
        Set<String> expired = new HashSet<>();
        Set<String> still = new HashSet<>();
        for (LoadDescriptor load : state.runningLoads()) {
            String loadId = load.loadId();
            if (load.request().resumable() && !heard.containsKey(loadId)) {
                still.add(loadId);
                Instant since = waiting.computeIfAbsent(loadId, _ -> now);
                if (since.plus(longest).isBefore(now)) {
                    expired.add(loadId);
                }
            }
        }
        waiting.keySet().retainAll(still);
        return expired;
    }

    // Labels

    /** Running loads of a label whose loaders have fallen silent. */
    List<LoadDescriptor> silent(TableDescriptor table, String label) {
        return labelledAndRunning(table, label).stream()
                .filter(load -> isSilent(load.loadId()))
                .toList();
    }

    private List<LoadDescriptor> labelledAndRunning(TableDescriptor table, String label) {
        return label.isEmpty()
                ? List.of()
                : state.runningLoadsInto(table.tableId()).stream()
                        .filter(load -> load.request().label().equals(label))
                        .toList();
    }

    /** Refuses a label that was loaded or is being loaded. */
    void checkFree(TableDescriptor table, String label) {
        if (label.isEmpty()) {
            return;
        }
        String into = " labelled '" + label + "' into table " + table.schema().name();
        if (state.labelled(table.tableId(), label).isPresent()) {
            throw PenstockException.conflict("a load" + into + " has been published already");
        }
        for (LoadDescriptor load : labelledAndRunning(table, label)) {
            throw PenstockException.conflict(
                    "a load"
                            + into
                            + " is running ("
                            + load.loadId()
                            + "); wait for its end, or stop it and try again "
                            + SUPERSEDED.toSeconds()
                            + " s later");
        }
    }

    // Loads that can be resumed

    /** Gives a load to a loader unless another was heard of lately. */
    synchronized void claim(LoadDescriptor load, long loader) {
        if (!load.request().resumable()) {
            throw PenstockException.conflict(
                    "load " + load.loadId() + " was begun without --resume and cannot go on");
        }
        Long other = loaders.get(load.loadId());
        boolean another = other == null || other != loader;
        if (another && !isSilent(load.loadId())) {
            throw new PenstockException(
                    ErrorCategory.RETRY,
                    "another loader works on load "
                            + load.loadId()
                            + " labelled '"
                            + load.request().label()
                            + "'; wait for its end, or stop it and try again "
                            + SUPERSEDED.toSeconds()
                            + " s later");
        }
        loaders.put(load.loadId(), loader);
        hear(load.loadId());
    }

    /** The loader has stopped. */
    synchronized void release(String loadId, long loader) {
        Long current = loaders.get(loadId);
        if (current == null || current == loader) {
            heard.remove(loadId);
        }
    }

    /** Refuses a loader whose load another has resumed. */
    synchronized void check(String loadId, long loader) {
        Long current = loaders.putIfAbsent(loadId, loader);
        if (current != null && current != loader) {
            throw PenstockException.conflict("another loader has resumed load " + loadId);
        }
        hear(loadId);
    }

    /** Nobody works on the load now, but somebody may later. */
    void silence(String loadId) {
        heard.remove(loadId);
    }

    /** The load has ended. */
    void forget(String loadId) {
        loaders.remove(loadId);
    }
}
