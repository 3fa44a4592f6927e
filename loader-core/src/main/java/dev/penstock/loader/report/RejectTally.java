package dev.penstock.loader.report;

import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectClass;
import dev.penstock.reject.RejectReason;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Rejects counted by reason and class, the first of each class remembered. Not thread-safe. */
final class RejectTally {
    private static final Comparator<RejectLog.First> FIRST =
            (one, other) -> RejectRuns.INPUT_ORDER.compare(one.reject(), other.reject());

    private final Map<RejectReason, Long> byReason = new EnumMap<>(RejectReason.class);
    private final Map<RejectClass, Long> byClass = new EnumMap<>(RejectClass.class);
    private final Map<RejectClass, RejectLog.First> firsts = new EnumMap<>(RejectClass.class);
    private long count;

    void add(int chunkId, List<Reject> rejects) {
        for (Reject reject : rejects) {
            byReason.merge(reject.reason(), 1L, Long::sum);
            byClass.merge(reject.reason().kind(), 1L, Long::sum);
            count++;
            addFirst(new RejectLog.First(reject, chunkId));
        }
    }

    void add(RejectTally other) {
        other.byReason.forEach((reason, rejects) -> byReason.merge(reason, rejects, Long::sum));
        other.byClass.forEach((kind, rejects) -> byClass.merge(kind, rejects, Long::sum));
        count += other.count;
        other.firsts.values().forEach(this::addFirst);
    }

    private void addFirst(RejectLog.First first) {
        firsts.merge(
                first.reject().reason().kind(),
                first,
                (before, now) -> FIRST.compare(now, before) < 0 ? now : before);
    }

    long count() {
        return count;
    }

    Map<RejectClass, Long> byClass() {
        return Collections.unmodifiableMap(byClass);
    }

    /** Of one class or (null) of all. */
    Optional<RejectLog.First> first(@Nullable RejectClass kind) {
        return firsts.entrySet().stream()
                .filter(entry -> kind == null || entry.getKey() == kind)
                .map(Map.Entry::getValue)
                .min(FIRST);
    }

    /** By the names of the reasons, in order. */
    Map<String, Long> byReason() {
        Map<String, Long> named = new TreeMap<>();
        byReason.forEach((reason, rejects) -> named.put(reason.word(), rejects));
        return named;
    }
}
