package dev.penstock.kv.storage;

import dev.penstock.reject.Reject;
import dev.penstock.target.RegionReceipt;

import java.util.HashMap;
import java.util.Map;

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
    public enum Growth {
        /** It has grown. */
        GROWN,
        /** It has not: its load takes too much, even if there were no other. */
        TOO_MUCH,
        /** It has not: there would be room but for what other loads take. */
        OTHERS
    }

    private record Receipt(String loadId, long regionId) {}

    private final Map<Receipt, Long> receipts = new HashMap<>();
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
     */
    public synchronized Growth grow(String loadId, long regionId, long bytes, long maxBytes) {
        if (bytes > maxBytes - total) {
            return bytes > maxBytes - of(loadId) ? Growth.TOO_MUCH : Growth.OTHERS;
        }
        add(loadId, regionId, bytes);
        return Growth.GROWN;
    }

    private void add(String loadId, long regionId, long bytes) {
        receipts.merge(new Receipt(loadId, regionId), bytes, Long::sum);
        total += bytes;
    }

    private long of(String loadId) {
        return receipts.entrySet().stream()
                .filter(entry -> entry.getKey().loadId().equals(loadId))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** A receipt is kept, whether it has been seen to grow here or in an earlier process. */
    synchronized void keep(String loadId, RegionReceipt receipt) {
        remove(loadId, receipt.regionId());
        add(loadId, receipt.regionId(), of(receipt));
    }

    /** A receipt is let go of. */
    public synchronized void remove(String loadId, long regionId) {
        Long bytes = receipts.remove(new Receipt(loadId, regionId));
        total -= bytes == null ? 0 : bytes;
    }

    /** Of all receipts. */
    public synchronized long total() {
        return total;
    }
}
