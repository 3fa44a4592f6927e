package dev.penstock.kv.meta;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.target.LoadRequest;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which running loads have been heard of, and when. A load that can be resumed has one loader at a
 * time, told from others by a number that the metadata log keeps; what one says after another has
 * taken its place is refused. Who lives is forgotten when the leader starts anew, until the next
 * sign of life. Thread-safe.
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

    /** Loads whose loader has stopped; a sign of life that comes late does not count. */
    private final Set<String> stopped = ConcurrentHashMap.newKeySet();

    /** How many calls are opening a load. */
    private final Map<String, Integer> opening = new ConcurrentHashMap<>();

    /** Of loads that wait to be resumed: since when that has been seen. */
    private final Map<String, Instant> waiting = new ConcurrentHashMap<>();

    private volatile Duration longestWait = Duration.ZERO;

    Loaders(MetadataState state, InstantSource clock) {
        this.state = state;
        this.clock = clock;
    }

    /** The loader of a load has just said something that only one at work says. */
    void hear(String loadId) {
        stopped.remove(loadId);
        heard.put(loadId, clock.instant());
    }

    /**
     * The loader waits until servers have opened its load, for which they may read gigabytes of its
     * log. Meanwhile it cannot say anything, and is not silent.
     */
    Opening opening(String loadId) {
        opening.merge(loadId, 1, Integer::sum);
        return () -> {
            heard.computeIfPresent(loadId, (id, before) -> clock.instant());
            opening.computeIfPresent(loadId, (id, count) -> count == 1 ? null : count - 1);
        };
    }

    /** Lasts until it is closed. */
    interface Opening extends AutoCloseable {
        @Override
        void close();
    }

    private boolean isSilent(String loadId) {
        if (opening.containsKey(loadId)) {
            return false;
        }
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
            if (when.isBefore(limit) && !opening.containsKey(loadId)) {
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

    /**
     * Running loads whose label the next one has, and whose loaders have fallen silent. If both can
     * be resumed, the next should go on with the other instead of ending it.
     */
    List<LoadDescriptor> silent(TableDescriptor table, LoadRequest next) {
        return labelledAndRunning(table, next.label()).stream()
                .filter(load -> !(next.resumable() && load.request().resumable()))
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

    /** Refuses to give a load to a loader if another was heard of lately. */
    void checkClaim(LoadDescriptor load, long loader) {
        if (!load.request().resumable()) {
            throw PenstockException.conflict(
                    "load " + load.loadId() + " was begun without --resume and cannot go on");
        }
        if (!isLoader(load.loadId(), loader) && !isSilent(load.loadId())) {
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
    }

    /** Whether a running load was given to that loader last. */
    boolean isLoader(String loadId, long loader) {
        return state.loader(loadId).filter(current -> current == loader).isPresent();
    }

    /** The loader has stopped. */
    synchronized void release(String loadId, long loader) {
        if (isLoader(loadId, loader)) {
            stopped.add(loadId);
            heard.remove(loadId);
        }
    }

    /** The loader has done something; refused if another has resumed its load. */
    synchronized void hear(String loadId, long loader) {
        check(loadId, loader);
        hear(loadId);
    }

    /** The loader lives; refused if another has resumed its load. */
    synchronized void sign(String loadId, long loader) {
        check(loadId, loader);
        if (!stopped.contains(loadId)) {
            heard.put(loadId, clock.instant());
        }
    }

    private void check(String loadId, long loader) {
        if (state.loader(loadId).filter(current -> current != loader).isPresent()) {
            throw PenstockException.conflict(
                    "another loader has resumed load "
                            + loadId
                            + " since this one was last heard of; wait for its end");
        }
    }

    /** Nobody works on the load now, but somebody may later. */
    void silence(String loadId) {
        heard.remove(loadId);
    }

    /** The load has ended. */
    void forget(String loadId) {
        stopped.remove(loadId);
    }
}
