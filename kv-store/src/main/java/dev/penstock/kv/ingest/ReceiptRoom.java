package dev.penstock.kv.ingest;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.ReceiptBytes;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;

import java.util.Locale;

/**
 * Memory for the rejects and named keys in the receipts of all loads at one server: these are kept
 * until their load is published, so that who asks for a receipt again gets the same. Thread-safe.
 */
public final class ReceiptRoom {
    private final ReceiptBytes receipts;
    private final long maxBytes;

    /**
     * @param receipts what they take, those too that an earlier process has made
     */
    public ReceiptRoom(ReceiptBytes receipts, long maxBytes) {
        this.receipts = receipts;
        this.maxBytes = maxBytes;
    }

    /** For a receipt that is going to be made; used by one thread. */
    Share share(String loadId, long regionId) {
        return new Share(loadId, regionId);
    }

    /** The room of one receipt, until the journal ends it or it is given back. */
    final class Share {
        private final String loadId;
        private final long regionId;

        private Share(String loadId, long regionId) {
            this.loadId = loadId;
            this.regionId = regionId;
        }

        /**
         * Takes room for one more.
         *
         * @throws PenstockException if there is none: of category CONFLICT if there would be some
         *     but for other loads, else DATA
         */
        void take(Reject reject) {
            boolean key = DuplicateKey.is(reject);
            switch (receipts.grow(loadId, regionId, ReceiptBytes.of(reject), maxBytes)) {
                case GROWN -> {}
                case TOO_MUCH -> throw refusal(key, false);
                case OTHERS -> throw refusal(key, true);
            }
        }

        /** The receipt will not be made. */
        void giveBack() {
            receipts.remove(loadId, regionId);
        }
    }

    private PenstockException refusal(boolean key, boolean others) {
        String message =
                String.format(
                        Locale.ROOT,
                        "A server found more %s than it can hold until the load is published"
                                + " (%d MiB%s); nothing was loaded. %s",
                        key ? "keys of duplicate rows" : "bad records",
                        maxBytes >> 20,
                        others ? " with those of other loads" : "",
                        others ? "Load again after the other loads have ended." : advice(key));
        return new PenstockException(others ? ErrorCategory.CONFLICT : ErrorCategory.DATA, message);
    }

    private static String advice(boolean key) {
        return key
                ? "Leave such rows out with --on-duplicate keep-first or keep-last."
                : "Have the loader find them with --offload select.";
    }
}
