package dev.penstock.kv.meta;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.target.LoadRequest;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Which running loads have been heard of, and when. A load that can be resumed has one loader at a
 * time, told from others by a number that the metadata log keeps; what one says after another has
 * taken its place is refused. Who lives is forgotten when the leader starts anew, until the next
 * sign of life; when a load that can be resumed was heard of last is recorded now and then.
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

    /**
     * While a loader lives, the time is recorded so seldom: it is asked for after days, and only if
     * the leader was killed.
     */
    private static final Duration RECORDED = Duration.ofHours(1);

    /** How long a leader that has started leaves everybody to resume what would have expired. */
    private static final Duration GRACE = Duration.ofHours(1);

    private final MetadataState state;
    private final InstantSource clock;
    private final Instant started;

    /** Loads whose loaders are taken for alive. */
    private final Map<String, Instant> heard = new ConcurrentHashMap<>();

    /** Loads whose loader has stopped; a sign of life that comes late does not count. */
    private final Set<String> stopped = ConcurrentHashMap.newKeySet();

    /** How many calls are opening a load. */
    private final Map<String, Integer> opening = new ConcurrentHashMap<>();

    /** Running loads, those included whose loaders are not taken for alive any more. */
    private final Map<String, Instant> lastHeard = new ConcurrentHashMap<>();

    private volatile Duration longestWait = Duration.ZERO;

    Loaders(MetadataState state, InstantSource clock) {
        this.state = state;
        this.clock = clock;
        this.started = clock.instant();
    }

    /** The loader of a load has just said something that only one at work says. */
    void hear(String loadId) {
        stopped.remove(loadId);
        hearNow(loadId);
    }

    private void hearNow(String loadId) {
        Instant now = clock.instant();
        heard.put(loadId, now);
        lastHeard.put(loadId, now);
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
        Set<String> over = new HashSet<>(lastHeard.keySet());
        state.runningLoads().forEach(load -> over.remove(load.loadId()));
        heard.keySet().removeAll(over);
        lastHeard.keySet().removeAll(over);
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
     * Loads that have waited to be resumed for too long since their loaders were heard of, or since
     * the leader has started if that is not known. None goes only because the leader was down.
     */
    Set<String> expired() {
        Duration longest = longestWait;
        Instant now = clock.instant();
        Duration grace = longest.compareTo(GRACE) < 0 ? longest : GRACE;
        if (!longest.isPositive() || !started.plus(grace).isBefore(now)) {
            return Set.of();
        }
        Set<String> expired = new HashSet<>();
        for (LoadDescriptor load : state.runningLoads()) {
            String loadId = load.loadId();
            Instant last = lastHeard(loadId).orElse(started);
            if (load.request().resumable()
                    && !heard.containsKey(loadId)
                    && last.plus(longest).isBefore(now)) {
                expired.add(loadId);
            }
        }
        return expired;
    }

    /** When the loader of a running load was heard of last, as far as that is known. */
    Optional<Instant> lastHeard(String loadId) {
        return Stream.concat(
                        state.heard(loadId).stream(),
                        Optional.ofNullable(lastHeard.get(loadId)).stream())
                .max(Comparator.naturalOrder());
    }

    /** What is to be recorded for the next leader: loads that can be resumed, and when heard of. */
    Map<String, Instant> unrecorded() {
        Map<String, Instant> unrecorded = new HashMap<>();
        for (LoadDescriptor load : state.runningLoads()) {
            String loadId = load.loadId();
            Instant last = lastHeard.get(loadId);
            if (last != null && load.request().resumable() && isUnrecorded(loadId, last)) {
                unrecorded.put(loadId, last);
            }
        }
        return unrecorded;
    }

    private boolean isUnrecorded(String loadId, Instant last) {
        Duration patience = heard.containsKey(loadId) ? RECORDED : Duration.ofMillis(1);
        return state.heard(loadId).filter(known -> known.plus(patience).isAfter(last)).isEmpty();
    }

    /** Whether a load waits for the next loader. */
    boolean isWaiting(LoadDescriptor load) {
        return load.request().resumable() && isSilent(load.loadId());
    }

    // Labels

    /**
     * Records the end of loads of that label whose loaders have fallen silent; a table that they
     * created stays for the load that is about to begin. Called under the lock of changes.
     *
     * @param ended gets those whose end is recorded
     */
    void endSilent(
            TableDescriptor table,
            LoadRequest next,
            Consumer<MetadataRecord> recorder,
            List<LoadDescriptor> ended) {
        for (LoadDescriptor load : silent(table, next)) {
            recorder.accept(new MetadataRecord.LoadAborted(load.loadId()));
            ended.add(load);
        }
    }

    /**
     * Running loads whose label the next one has, and whose loaders have fallen silent. If both can
     * be resumed, the next should go on with the other instead of ending it.
     */
    private List<LoadDescriptor> silent(TableDescriptor table, LoadRequest next) {
        return labelledAndRunning(table, next.label()).stream()
                .filter(load -> !(next.resumable() && load.request().resumable()))
                .filter(load -> isSilent(load.loadId()))
                .toList();
    }

    private List<LoadDescriptor> labelledAndRunning(TableDescriptor table, String label) {
        return label.isEmpty() ? List.of() : state.runningLoadsInto(table.tableId(), label);
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

    /**
     * Gives a load to a loader, which is recorded, unless another was heard of lately. Called under
     * the lock of changes. Signs of life do not wait for the record's disk: the state says whose
     * they are.
     */
    void claim(LoadDescriptor load, long loader, Consumer<MetadataRecord> recorder) {
        checkClaim(load, loader);
        String loadId = load.loadId();
        if (!isLoader(loadId, loader)) {
            recorder.accept(new MetadataRecord.LoaderHeard(loadId, loader, clock.millis()));
        }
        hear(loadId, loader);
    }

    private void checkClaim(LoadDescriptor load, long loader) {
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
            hearNow(loadId);
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
