package dev.penstock.kv.storage;

import dev.penstock.reject.Reject;
import dev.penstock.target.RegionReceipt;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Heap that rejects and named keys take in the receipts of a server, those of all its loads: of
 * prepared ones, which are kept until the load is published or given up, also over a restart, and
 * of those that are being made. Each is known by load and region. Thread-safe.
 */
public final class ReceiptBytes {
    /**
     * Objects of one reject besides its characters and bytes, as a journal that is read makes them.
     */
    private static final int OVERHEAD_BYTES = 192;

    /** Bytes of a character, at most. */
    private static final int CHAR_BYTES = 2;

    /** What becomes of a receipt that wants to grow. */
    public sealed interface Growth {
        /** It has grown. */
        record Grown() implements Growth {}

        /** It has not: its load takes too much, even if there were no other. */
        record TooMuch() implements Growth {}

        /**
         * It has not: there would be room but for what other loads take.
         *
         * @param earlier whether those that began before its own take too much already; if not,
         *     there would be room but for those that began after it
         * @param loadIds these, of which there is one at least
         */
        record Behind(boolean earlier, List<String> loadIds) implements Growth {
            public Behind {
                loadIds = List.copyOf(loadIds);
            }
        }
    }

    private static final Growth GROWN = new Growth.Grown();
    private static final Growth TOO_MUCH = new Growth.TooMuch();

    /** The receipts of a load that has any. */
    private static final class OfLoad {
        final long ordinal;
        final Map<Long, Long> bytesByRegion = new HashMap<>();
        long total;

        OfLoad(long ordinal) {
            this.ordinal = ordinal;
        }
    }

    private final Map<String, OfLoad> loads = new HashMap<>();
    private long total;

    /** Heap that one takes, about, rather too much. */
    public static long of(Reject reject) {
        int chars =
                reject.columnName().length() + reject.value().length() + reject.expected().length();
        return OVERHEAD_BYTES + (long) CHAR_BYTES * chars + reject.record().length;
    }

    private static long of(RegionReceipt receipt) {
        return receipt.rejects().stream().mapToLong(ReceiptBytes::of).sum();
    }

    /**
     * A receipt that is being made grows, unless all would take more than {@code maxBytes} then.
     * Whoever is refused is told why by the same call: another one could find that the others have
     * ended meanwhile.
     *
     * @param ordinal of the load; lower if it began earlier
     */
    public synchronized Growth grow(
            String loadId, long ordinal, long regionId, long bytes, long maxBytes) {
        if (bytes <= maxBytes - total) {
            add(loadId, ordinal, regionId, bytes);
            return GROWN;
        }
        OfLoad own = loads.get(loadId);
        long left = maxBytes - (own == null ? 0 : own.total);
        if (bytes > left) {
            return TOO_MUCH;
        }
        Predicate<OfLoad> before = load -> load.ordinal < ordinal;
        Predicate<OfLoad> after = load -> load != own && load.ordinal >= ordinal;
        boolean earlier = bytes > left - total(before);
        return new Growth.Behind(earlier, ids(earlier ? before : after));
    }

    private long total(Predicate<OfLoad> which) {
        return loads.values().stream().filter(which).mapToLong(load -> load.total).sum();
    }

    private List<String> ids(Predicate<OfLoad> which) {
        return loads.entrySet().stream()
                .filter(entry -> entry.getValue().total > 0 && which.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private void add(String loadId, long ordinal, long regionId, long bytes) {
        OfLoad load = loads.computeIfAbsent(loadId, id -> new OfLoad(ordinal));
        load.bytesByRegion.merge(regionId, bytes, Long::sum);
        load.total += bytes;
        total += bytes;
    }

    /** A receipt is kept, whether it has been seen to grow here or in an earlier process. */
    synchronized void keep(PreparedLoad load) {
        remove(load.loadId(), load.receipt().regionId());
        add(load.loadId(), load.ordinal(), load.receipt().regionId(), of(load.receipt()));
    }

    /** A receipt is let go of. */
    public synchronized void remove(String loadId, long regionId) {
        OfLoad load = loads.get(loadId);
        Long bytes = load == null ? null : load.bytesByRegion.remove(regionId);
        if (load == null || bytes == null) {
            return;
        }
        load.total -= bytes;
        total -= bytes;
        if (load.bytesByRegion.isEmpty()) {
            loads.remove(loadId);
        }
    }

    /** Loads whose receipts take anything. */
    public synchronized Set<String> loadIds() {
        return Set.copyOf(ids(load -> true));
    }

    /** Of all receipts. */
    public synchronized long total() {
        return total;
    }
}
